import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { startApp } from '../../testing/app.ts';

const { deps, as, make } = await startApp();
const admin = await as((await make.admin()).user_id);
const permissions = ['employees.import', 'employees.create', 'employees.view'];
await admin.post('/api/roles', { name: 'Importer', scope: 'all', permissions });
const entity = await make.entity({ name: 'Northwind Retail' });
const roles = [{ role: 'Importer', entity_ids: [entity.id] }];
const hr = await as((await make.employee({ entity_id: entity.id, roles })).user_id);
const everywhere = await as((await make.employee({ roles: ['HR'] })).user_id);
await make.department({ entity_id: entity.id, name: 'Sales' });

const header = 'first_name,last_name,email,company,department,joining_date';
const line = (index: number, company: string, day = '2026-03-04') =>
  `Ann${index},Lee,ann.${index}.${Math.random()}@example.com,${company},Sales,${day}`;

async function check(lines: readonly string[], settings: Record<string, string> = {}): Promise<number> {
  const content = `${[header, ...lines].join('\n')}\n`;
  const answer = await hr.upload(
    '/api/employees/import',
    { name: 'people.csv', content },
    { dry_run: '1', ...settings },
  );
  expect(answer.status).toBe(201);
  return answer.body.data.id;
}

const address = (id: number) => `/api/employees/imports/${id}`;
const problems = async (id: number) => (await hr.get(`${address(id)}/problems`)).body.data;
const replace = (id: number, body: object, who = hr) => who.post(`${address(id)}/replacements`, body);
const rowsOf = async (id: number) => (await hr.get(`${address(id)}/rows`)).body.data;
const companies = async (id: number) =>
  (await rowsOf(id)).map((row: { cells: { entity: string } }) => row.cells.entity);
const countsOf = async (id: number) => (await hr.get(address(id))).body.data.counts;

test('one wrong value of many rows is offered once, with the name it resembles, and replaced in all of them', async () => {
  const lines = [
    ...Array.from({ length: 4 }, (_, index) => line(index, 'Northwnd Retail')),
    line(9, 'Northwind Retail'),
  ];
  const id = await check(lines);
  expect(await problems(id)).toEqual({
    repeated: [
      {
        field: 'entity',
        value: 'Northwnd Retail',
        rows: 4,
        message: 'No company is called “Northwnd Retail”. Did you mean Northwind Retail?',
        suggestion: 'Northwind Retail',
      },
    ],
    dates: null,
  });
  const answer = await replace(id, { field: 'entity', from: 'Northwnd Retail', to: 'Northwind Retail' });
  expect([answer.status, answer.body.message, answer.body.data.rows]).toEqual([200, '4 rows corrected.', 4]);
  expect(await countsOf(id)).toMatchObject({ created: 5, failed: 0 });
  expect(new Set(await companies(id))).toEqual(new Set(['Northwind Retail']));
  expect(await problems(id)).toEqual({ repeated: [], dates: null });
});

test('a replacement is undone, except in a row corrected since', async () => {
  const id = await check([line(1, 'Sample'), line(2, 'Sample'), line(3, 'Sample')]);
  const before = await rowsOf(id);
  const { body } = await replace(id, { field: 'entity', from: 'Sample', to: 'Nowhere' });
  expect(await companies(id)).toEqual(['Nowhere', 'Nowhere', 'Nowhere']);
  await hr.put(`${address(id)}/rows/3`, { cells: { entity: 'Northwind Retail' } });
  const undo = () => hr.delete(`${address(id)}/replacements/${body.data.id}`);
  expect((await undo()).status).toBe(204);
  expect(await companies(id)).toEqual(['Sample', 'Northwind Retail', 'Sample']);
  expect((await rowsOf(id))[0]).toEqual(before[0]);
  expect((await undo()).status).toBe(404);
});

test('empty cells are filled, also of a field without a column, and the undo empties them again', async () => {
  const id = await check(['A,B,ab1@example.com,,Sales,', 'C,D,ab2@example.com,,Sales,']);
  const [group] = (await problems(id)).repeated;
  expect(group).toMatchObject({ field: 'entity', value: '', rows: 2 });
  const { body } = await replace(id, { field: 'entity', from: '', to: entity.name });
  expect(await countsOf(id)).toMatchObject({ created: 2, failed: 0 });
  await hr.delete(`${address(id)}/replacements/${body.data.id}`);
  expect(await countsOf(id)).toMatchObject({ created: 0, failed: 2 });
  await replace(id, { field: 'entity', from: '', to: entity.name });
  const grade = await replace(id, { field: 'grade', from: '', to: 'X' });
  expect([grade.status, grade.body.errors]).toEqual([422, { from: ['No row has an error with this value any more.'] }]);
});

test('the value stays in rows where it is no error, and in rows that are skipped', async () => {
  const second = await make.entity({ name: 'Northwind Labs' });
  const content = [
    header,
    `A,B,v1@example.com,${entity.name},Sales,`,
    `C,D,v2@example.com,${second.name},Sales,`,
    `E,F,v3@example.com,${second.name},Sales,`,
    `G,H,v4@example.com,${second.name},Sales,`,
  ].join('\n');
  const made = await everywhere.upload('/api/employees/import', { name: 'p.csv', content }, { dry_run: '1' });
  const url = address(made.body.data.id);
  await everywhere.put(`${url}/rows/5`, { left_out: true });
  await make.department({ entity_id: second.id, name: 'Research' });
  const answer = await everywhere.post(`${url}/replacements`, { field: 'department', from: 'Sales', to: 'Research' });
  expect(answer.body.data.rows).toBe(2);
  const rows = (await everywhere.get(`${url}/rows`)).body.data;
  const departments = rows.map(({ cells }: { cells: { department: string } }) => cells.department);
  expect(departments).toEqual(['Sales', 'Research', 'Research', 'Sales']);
});

test('only the importer replaces values, in a checked import, of fields that rows can share', async () => {
  const id = await check([line(1, 'Sample'), line(2, 'Sample')]);
  const body = { field: 'entity', from: 'Sample', to: 'Northwind Retail' };
  expect((await replace(id, body, everywhere)).status).toBe(403);
  expect((await everywhere.get(`${address(id)}/problems`)).status).toBe(200);
  const stranger = await as((await make.employee({ roles: ['Employee'] })).user_id);
  expect((await replace(id, body, stranger)).status).toBe(403);
  expect((await stranger.get(`${address(id)}/problems`)).status).toBe(403);
  for (const field of ['email', 'employee_number', 'gender', 'nothing'])
    expect([field, (await replace(id, { ...body, field })).body.errors]).toEqual([
      field,
      { field: ['The selected field is invalid.'] },
    ]);
  expect((await replace(id, { ...body, revision: 1_000 })).status).toBe(422);
  expect(await companies(id)).toEqual(['Sample', 'Sample']);
  await replace(id, body);
  await hr.post(`${address(id)}/commit`);
  expect((await replace(id, body)).status).toBe(422);
});

test('a replacement and its undo are in the audit log once each, without the values', async () => {
  const id = await check([line(1, 'Sample'), line(2, 'Sample')]);
  const { body } = await replace(id, { field: 'entity', from: 'Sample', to: 'Elsewhere' });
  await hr.delete(`${address(id)}/replacements/${body.data.id}`);
  const { rows } = await sql<{ action: string; changes: object }>`
    select action, changes from audit_log
    where subject_type = 'import' and subject_id = ${id} and action <> 'import.created' order by id`.execute(deps.db);
  const changes = { rows: { from: null, to: 2 }, fields: { from: null, to: ['entity'] } };
  expect(rows).toEqual([
    { action: 'import.rows_corrected', changes },
    { action: 'import.correction_undone', changes },
  ]);
});

test.each([
  { days: ['12.05.2026', '31.05.2026'], dates: { formats: ['DD.MM.YYYY'], sample: '12.05.2026' } },
  { days: ['31/05/2026', '01/02/2026'], dates: { formats: ['DD/MM/YYYY'], sample: '01/02/2026' } },
  { days: ['05/31/2026', '01/02/2026'], dates: { formats: ['MM/DD/YYYY'], sample: '01/02/2026' } },
  { days: ['01/02/2026', '03/04/2026'], dates: { formats: ['DD/MM/YYYY', 'MM/DD/YYYY'], sample: '01/02/2026' } },
  { days: ['2026-02-30', 'soon'], dates: null },
])('dates like $days.0 ask for their format', async ({ days, dates }) => {
  const id = await check(days.map((day, index) => line(index, entity.name, day)));
  expect(await problems(id)).toMatchObject({ dates });
  if (!dates) return;
  expect((await problems(id)).repeated).toEqual([]);
  await hr.put(address(id), { date_format: dates.formats[0] });
  expect(await countsOf(id)).toMatchObject({ created: 2, failed: 0 });
  expect((await problems(id)).dates).toBeNull();
});
