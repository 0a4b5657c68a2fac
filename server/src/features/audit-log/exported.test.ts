import { parse } from 'csv-parse/sync';
import { beforeAll, expect, test } from 'vitest';
import { record } from '../../audit.ts';
import type { Entry } from '../../audit.ts';
import { ownReason } from '../../languages/answer.ts';
import { startApp } from '../../testing/app.ts';

/** The file for people: in the reader's language, with the words of the page. */

const { as, deps, make } = await startApp();
const [north, south] = [await make.entity({ name: 'North' }), await make.entity({ name: 'South' })];
const buying = await make.department({ entity_id: south.id, name: 'Buying' });
const hr = await make.employee({ roles: ['HR'], entity_id: north.id });
const limited = await make.employee({ roles: [{ role: 'HR', entity_ids: [north.id] }], entity_id: north.id });
const client = await as(hr.user_id);
const narrow = await as(limited.user_id);

const write = async (entry: Partial<Entry> & Pick<Entry, 'action'>) =>
  record({ db: deps.db, actor: null }, { entity_id: north.id, ...entry });
const change = (from: unknown, to: unknown) => ({ from, to });

beforeAll(async () => {
  await write({
    action: 'employee.updated',
    subject_id: hr.id,
    subject_label: 'Léna Park',
    changes: {
      employment_type: change('full_time', 'part_time'),
      department_id: change(null, buying.id),
      job_title: change('Buyer', null),
      roles: change(null, [{ role: 'Manager', scope: 'managed', department_ids: [buying.id] }]),
    },
    reason: ownReason('reasons.moved_with_department', { department: 'Buying' }),
  });
  await write({
    action: 'role.permissions_changed',
    subject_label: 'TeamLead',
    changes: { permissions: change(['audit.view'], ['employees.view']) },
  });
  await write({
    action: 'probation_review.send-back',
    subject_label: 'Omar Diaz, probation until 2026-03-31',
    changes: { status: change('submitted', 'sent_back') },
    reason: 'Bitte ergänzen',
  });
});

const rowsOf = async (query: string, language: string, who = client) => {
  const url = `/api/audit-log/export?entity_id=${north.id}&sort_direction=asc${query}`;
  const answer = await who.get(url, { 'accept-language': language });
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  return parse(answer.bytes, { columns: true, bom: true }) as Record<string, string>[];
};
const columns = '&columns=actor,action,subject_type,subject_label,changes,reason';

test('with words, headings, actions, fields, values and own reasons are in the language of the reader', async () => {
  expect(await rowsOf(`${columns}&headings=words`, 'de')).toEqual([
    {
      Wer: 'Tenure (automatisch)',
      Aktion: 'Geändert',
      'Art des Datensatzes': 'Person',
      Datensatz: 'Léna Park',
      Änderungen:
        'Rollen: Rolle: Führungskraft · Geltungsbereich: Direkt Unterstellte und geleitete Abteilungen · Abteilungen: Buying; ' +
        'Stellenbezeichnung: Buyer → (leer); Abteilung: Buying; Beschäftigungsart: Vollzeit → Teilzeit',
      Grund: 'Mit der Abteilung Buying verschoben',
    },
    expect.objectContaining({
      Aktion: 'Berechtigungen geändert',
      'Art des Datensatzes': 'Rolle',
      Datensatz: 'Teamleitung',
      Änderungen: expect.stringMatching(/^Berechtigungen: Hinzugefügt: .+\. Entfernt: .+\.$/),
      Grund: '',
    }),
    expect.objectContaining({
      Aktion: 'Zurückgegeben',
      Datensatz: 'Omar Diaz, Probezeit bis 31.03.2026',
      Änderungen: 'Status: Abgegeben → Zurückgegeben',
      Grund: 'Bitte ergänzen',
    }),
  ]);
  const [first] = await rowsOf(`${columns}&headings=words`, 'en');
  expect(first).toMatchObject({
    Who: 'Tenure (automatic)',
    Action: 'Changed',
    Reason: 'Moved with the department Buying',
  });
  const exports = await client.get(
    '/api/audit-log/export?headings=words&action=export.created&columns=subject_label,changes',
    {
      'accept-language': 'de',
    },
  );
  expect(parse(exports.bytes, { columns: true, bom: true })).toContainEqual({
    Datensatz: 'Änderungsprotokoll',
    Änderungen: expect.stringContaining('Überschriften: Ausgeschrieben'),
  });
  const all = await rowsOf('&headings=words', 'de');
  expect(Object.keys(all[0] ?? {})).toEqual([
    'Wann (UTC)',
    'Wer',
    'Aktion',
    'Art des Datensatzes',
    'ID des Datensatzes',
    'Datensatz',
    'Änderungen',
    'Grund',
    'ID der Anfrage',
    'IP-Adresse',
  ]);
});

test('names of records beyond the reach of the reader are in no file', async () => {
  const [first] = await rowsOf(`${columns}&headings=words`, 'de', narrow);
  expect(first?.['Änderungen']).toContain('Abteilung: (kein Zugriff)');
  expect(first?.['Änderungen']).not.toContain('Abteilung: Buying');
});

test('without words, programs read the same keys in every language', async () => {
  const keys = await rowsOf(columns, 'de');
  expect(keys).toEqual(await rowsOf(columns, 'en'));
  expect(keys[0]).toMatchObject({
    actor: 'System',
    action: 'employee.updated',
    subject_type: 'employee',
    reason: 'Moved with the department Buying',
  });
  expect(keys[1]).toMatchObject({ subject_label: 'TeamLead', changes: expect.stringContaining('employees.view') });
});
