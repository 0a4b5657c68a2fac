import { parse } from 'csv-parse/sync';
import { expect, test } from 'vitest';
import { startApp } from '../../testing/app.ts';

const { as, make, deps } = await startApp();
const acme = await make.entity({ name: 'Acme' });
const zeta = await make.entity({ name: 'Zeta' });
const office = await make.department({ entity_id: zeta.id, name: 'office', code: 'b' });
const omar = await make.employee({
  department_id: office.id,
  employee_number: 'Z-1',
  first_name: 'Omar',
  last_name: 'Díaz',
});
const ida = await make.employee({ department_id: office.id, first_name: 'Ida', last_name: 'Berg' });
const hana = await make.employee({ roles: ['HR'], department_id: office.id });
const noor = await make.employee({ roles: [{ role: 'HR', entity_ids: [acme.id] }], department_id: office.id });
const buying = await make.department({
  entity_id: acme.id,
  name: 'Buying',
  code: 'C',
  manager_id: omar.id,
  team_lead_id: ida.id,
});
const spices = await make.department({ entity_id: acme.id, name: 'Spices', parent_id: buying.id, status: 'inactive' });
const archive = await make.department({ entity_id: acme.id, name: 'Ärchive', code: 'A', manager_id: ida.id });
await make.employee({ department_id: archive.id });
const hr = await as(hana.user_id);
const [O, B, S, A] = [office.id, buying.id, spices.id, archive.id];

const ids = async (query = '') => {
  const { status, body } = await hr.get(`/api/departments?${query}`);
  expect([query, status]).toEqual([query, 200]);
  expect(body.meta.total).toBe(body.data.length);
  return body.data.map(({ id }: { id: number }) => id) as number[];
};

test.each([
  ['', [A, B, O, S]],
  ['sort_by=name&sort_direction=desc', [S, O, B, A]],
  ['sort_by=code', [A, O, B, S]],
  ['sort_by=code&sort_direction=desc', [B, O, A, S]],
  ['sort_by=entity_id', [B, S, A, O]],
  ['sort_by=entity_name&sort_direction=desc', [O, B, S, A]],
  ['sort_by=status', [O, B, A, S]],
  ['sort_by=employees_count&sort_direction=desc', [O, A, B, S]],
  ['sort_by=created_at', [O, B, S, A]],
])('the list in the order of "%s"', async (query, expected) => expect(await ids(query)).toEqual(expected));

test.each([
  [`entity_id=${acme.id}`, [A, B, S]],
  [`entity_id=${acme.id},${zeta.id}`, [A, B, O, S]],
  ['entity_id=999999', []],
  ['entity_id=0', []],
  [`parent_id=${B}`, [S]],
  ['parent_id=0', [A, B, O]],
  [`parent_id=0,${B}`, [A, B, O, S]],
  ['status=inactive', [S]],
  [`manager_id=${omar.id}`, [B]],
  ['manager_id=0', [O, S]],
  [`manager_id=0,${omar.id}`, [B, O, S]],
  [`team_lead_id=${ida.id}`, [B]],
  ['team_lead_id=0', [A, O, S]],
  ['search=archive', [A]],
  ['search=diaz buy', [B]],
  ['search=C', [A, B, O, S]],
  ['search=nobody', []],
  ['search=%25', []],
  [`manager_id=${omar.id}&status=inactive`, []],
  ['color=red', [A, B, O, S]],
])('the list filtered by "%s"', async (query, expected) => expect(await ids(query)).toEqual(expected));

test.each([
  ['entity_id=x', 'entity_id'],
  ['parent_id=-1', 'parent_id'],
  ['status=closed', 'status'],
  ['manager_id=1.5', 'manager_id'],
  ['sort_by=revision', 'sort_by'],
  ['sort_direction=up', 'sort_direction'],
  ['per_page=0', 'per_page'],
])('the list refuses "%s"', async (query, field) => {
  const { status, body } = await hr.get(`/api/departments?${query}`);
  expect([status, Object.keys(body.errors)]).toEqual([422, [field]]);
});

test('pages do not overlap and report the total, also beyond the end', async () => {
  const pages = await Promise.all([1, 2, 3].map((page) => hr.get(`/api/departments?per_page=2&page=${page}`)));
  expect(pages.map(({ body }) => body.data.map(({ id }: { id: number }) => id))).toEqual([[A, B], [O, S], []]);
  expect(pages.map(({ body }) => body.meta.total)).toEqual([4, 4, 4]);
});

test('a row equals the record as read alone', async () => {
  const { body } = await hr.get('/api/departments?search=buying');
  expect(body.data[0]).toEqual((await hr.get(`/api/departments/${B}`)).body.data);
  expect(body.data[0]).toMatchObject({
    manager: { id: omar.id, employee_number: 'Z-1', name: 'Omar Díaz' },
    team_lead: { id: ida.id, name: 'Ida Berg' },
    children_count: 1,
  });
});

test('an export contains the rows of the list in its order and is recorded', async () => {
  const answer = await hr.get(`/api/departments/export?entity_id=${acme.id}&sort_by=name`);
  expect([answer.status, answer.headers['content-type']]).toEqual([200, 'text/csv; charset=utf-8']);
  expect(answer.headers['content-disposition']).toMatch(/filename="departments-\d{8}-\d{4}\.csv"/);
  const rows = parse(answer.bytes, { columns: true, bom: true }) as Record<string, string>[];
  expect(rows.map(({ name }) => name)).toEqual(['Ärchive', 'Buying', 'Spices']);
  expect(Object.entries(rows[1] as object)).toEqual([
    ['id', String(B)],
    ['entity', 'Acme'],
    ['name', 'Buying'],
    ['code', 'C'],
    ['parent', ''],
    ['manager_number', 'Z-1'],
    ['manager_name', 'Omar Díaz'],
    ['team_lead_number', ida.employee_number],
    ['team_lead_name', 'Ida Berg'],
    ['status', 'active'],
    ['employees_count', '0'],
  ]);
  expect(rows[2]).toMatchObject({ parent: 'Buying', manager_number: '', status: 'inactive' });
  const words = await hr.get(`/api/departments/export?entity_id=${acme.id}&sort_by=name&headings=words`, {
    'accept-language': 'de',
  });
  const [, , spices] = parse(words.bytes, { columns: true, bom: true }) as object[];
  expect(spices).toMatchObject({
    Unternehmen: 'Acme',
    Name: 'Spices',
    'Übergeordnete Abteilung': 'Buying',
    Führungskraft: '',
    'Teamleitung (Personalnummer)': '',
    Status: 'Inaktiv',
    Mitarbeitende: '0',
  });
  const [trace] = await deps.db
    .selectFrom('audit_log')
    .select(['actor_id', 'subject_label', 'changes'])
    .where('action', '=', 'export.created')
    .orderBy('id')
    .execute();
  expect(trace).toMatchObject({
    actor_id: hana.user_id,
    subject_label: 'departments',
    changes: { rows: { to: 3 }, entity_id: { to: [acme.id] } },
  });
});

test('an export respects the scope and selected columns, and refuses unknown ones', async () => {
  const limited = await as(noor.user_id);
  const few = await limited.get('/api/departments/export?columns=name,entity');
  expect(parse(few.bytes, { bom: true })).toEqual([
    ['entity', 'name'],
    ['Acme', 'Ärchive'],
    ['Acme', 'Buying'],
    ['Acme', 'Spices'],
  ]);
  const sheet = await hr.get('/api/departments/export?format=xlsx');
  expect([sheet.status, sheet.bytes.subarray(0, 2).toString()]).toEqual([200, 'PK']);
  const refused = await hr.get('/api/departments/export?columns=name,salary');
  expect([refused.status, Object.keys(refused.body.errors)]).toEqual([422, ['columns']]);
});

test('a list takes one statement after the session, however long it is', async () => {
  let statements = 0;
  deps.pool.on('acquire', () => (statements += 1));
  const cost = async (query: string) => {
    statements = 0;
    await hr.get(`/api/departments?${query}`);
    return statements;
  };
  await cost('');
  expect([await cost('per_page=1'), await cost('per_page=100'), await cost('search=b')]).toEqual([2, 2, 2]);
  deps.pool.removeAllListeners('acquire');
});
