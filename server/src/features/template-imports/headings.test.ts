import { readFileSync } from 'node:fs';
import { templateImportFields } from '@tenure/contract';
import { expect, test } from 'vitest';
import { startApp } from '../../testing/app.ts';

const { as, make } = await startApp();
const hr = await as((await make.employee({ roles: ['HR'] })).user_id);

const labelsIn = (language: string): Record<string, string> =>
  JSON.parse(
    readFileSync(
      new URL(`../../../../contract/locales/${language}/browser/template-import-fields.json`, import.meta.url),
      'utf8',
    ),
  ).templateImportField;

const upload = (lines: string[], dry_run = '1') =>
  hr.upload('/api/kpi-templates/import', { name: 'kpi.csv', content: lines.join('\n') }, { dry_run });

test.each(['en', 'de'])('columns named as on the page are recognised (%s)', async (language) => {
  const labels = Object.entries(labelsIn(language));
  const { body } = await upload([labels.map(([, label]) => label).join(';'), labels.map(() => '1').join(';')]);
  const found = (body.data.columns as { field: string; source: string }[]).map(({ field, source }) => [field, source]);
  expect(found).toEqual(labels.map(([field]) => [field, expect.stringMatching(/^(?:exact|alias)$/)]));
  // company, job title and grade have the same headings as for people
  expect(labels.map(([field]) => field)).toEqual(expect.arrayContaining(['template_name', 'item_name', 'weight']));
  expect(Object.keys(templateImportFields)).toEqual(expect.arrayContaining(found.map(([field]) => field)));
});

test('a German file is read with German words for its choices', async () => {
  const { body } = await upload(
    [
      'Vorlage;Kriterium;Gewicht;Art;Bewertungsrichtung;Zielwert;Nachweis erforderlich;Unternehmen;Stellenbezeichnung;Status',
      'Vertrieb;Umsatz;60;Messwert;Mehr ist besser;100,5;Ja;;Verkäufer;Entwurf',
      'Vertrieb;Reklamationen;20 %;messwert;weniger ist besser;5;Nein;;;',
      'Vertrieb;Teamarbeit;20;Einschätzung;;;;;;',
    ],
    '0',
  );
  expect(body.message).toBe('Import completed: 3 created, 0 updated, 0 skipped, 0 failed.');
  const [{ id }] = (await hr.get('/api/kpi-templates?search=Vertrieb')).body.data;
  const { data } = (await hr.get(`/api/kpi-templates/${id}`)).body;
  expect(data).toMatchObject({ status: 'draft', job_title: 'Verkäufer' });
  expect(
    data.items.map(({ item_type, direction, target_value, evidence_required }: Record<string, unknown>) => [
      item_type,
      direction,
      target_value,
      evidence_required,
    ]),
  ).toEqual([
    ['measured', 'higher_better', 100.5, true],
    ['measured', 'lower_better', 5, false],
    ['rating', null, null, false],
  ]);
});
