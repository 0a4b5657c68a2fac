import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { inSameCompany, recordJobChange } from '../../people/job-write.ts';
import { startApp } from '../../testing/app.ts';

const { as, make, deps } = await startApp();
const entity = await make.entity({ name: 'Hafen Feinkost', code: 'HAF' });
const department = await make.department({ entity_id: entity.id, name: 'Versand' });
const person = await make.employee({ department_id: department.id, joining_date: '2020-01-01' });
await recordJobChange(deps.db, { employee_ids: [person.id], changed_fields: ['job_title'], by: null }, inSameCompany);
const hr = await as((await make.employee({ entity_id: entity.id, roles: ['HR'] })).user_id);

/** A section of the page texts in a language. */
const page = (language: string, part: string) =>
  JSON.parse(
    readFileSync(new URL(`../../../../contract/locales/${language}/browser/${part}.json`, import.meta.url), 'utf8'),
  );
const upload = (path: string, content: string, fields: Record<string, string> = {}) =>
  hr.upload(path, { name: 'datei.csv', content }, { dry_run: '1', ...fields });
const fieldsIn = ({ body }: Awaited<ReturnType<typeof upload>>) =>
  (body.data.columns as { field: string; source: string }[]).map(({ field, source }) =>
    source === 'suggested' || source === 'ignored' ? null : field,
  );

test.each(['en', 'de'])('files of former results are read with the names of the page (%s)', async (language) => {
  const labels = Object.entries<string>(page(language, 'former-result-fields').formerResultField);
  const answer = await upload(
    '/api/former-results/import',
    [labels.map(([, label]) => label).join(';'), labels.map(() => '1').join(';')].join('\n'),
  );
  expect(fieldsIn(answer)).toEqual(labels.map(([field]) => field));
});

test('a German file of former jobs is read, its choices too', async () => {
  const { effective_from: from, effective_to: to } = page('de', 'imports').importField;
  const answer = await upload(
    '/api/job-history/import',
    [
      `Personalnummer;${from};${to};Stellenbezeichnung;Abteilung;Beschäftigungsart`,
      `${person.employee_number};01.01.2020;31.12.2020;Packer;Versand;Teilzeit`,
      `${person.employee_number};01.01.2021;31.12.2021;Packer;Versand;Halbe`,
    ].join('\n'),
    { date_format: 'DD.MM.YYYY' },
  );
  expect(fieldsIn(answer)).not.toContain(null);
  const rows = await hr.get(`/api/job-history/imports/${answer.body.data.id}/rows`, { 'accept-language': 'de' });
  expect(rows.body.data.map(({ errors }: { errors: object }) => errors)).toEqual([
    {},
    {
      employment_type: [
        '„Halbe“ ist nicht möglich. Verwenden Sie: Vollzeit, Teilzeit, Befristet, Praktikum, Beratung.',
      ],
    },
  ]);
});
