import { parse } from 'csv-parse/sync';
import type { Permission } from '@tenure/contract';
import { expect, test } from 'vitest';
import { startApp } from '../../../testing/app.ts';

const { as, make, deps, owner } = await startApp();
const alpha = await make.entity({ name: 'Alpha', code: 'ALPHA' });
const buying = await make.department({ entity_id: alpha.id, name: 'Buying' });
const there = await make.department({ name: 'There' });
const hr = await make.employee({ roles: ['HR'], department_id: there.id, last_name: 'Ito' });
const boss = await make.employee({ department_id: buying.id, employee_number: 'A-1', last_name: 'Diaz' });
const lena = await make.employee({
  roles: ['Employee', 'Manager'],
  department_id: buying.id,
  employee_number: 'A-2',
  first_name: '=1+1',
  last_name: 'Park',
  job_title: '-',
  phone: '+44 113',
  reporting_manager_id: boss.id,
  joining_date: '2020-02-29',
  date_of_birth: '1990-01-01',
  bank: { iban: 'GB00123456781234' },
  address: { city: 'Leeds' },
});
const client = await as(hr.user_id);

async function exported(url: string, who = client): Promise<Record<string, string>[]> {
  const answer = await who.get(url);
  expect(answer.status).toBe(200);
  return parse(answer.bytes, { columns: true, bom: true }) as Record<string, string>[];
}

async function holder(scope: 'own' | 'managed' | 'all', permissions: Permission[]) {
  const { id } = await deps.db
    .insertInto('roles')
    .values({ name: `Role ${scope} ${permissions.length}`, scope })
    .returning('id')
    .executeTakeFirstOrThrow();
  const rows = permissions.map((permission) => ({ role_id: id, permission }));
  await deps.db.insertInto('role_permissions').values(rows).execute();
  const person = await make.employee({ roles: [], department_id: there.id, last_name: 'Zed' });
  await deps.db.insertInto('role_assignments').values({ user_id: person.user_id, role_id: id }).execute();
  return { ...person, client: await as(person.user_id) };
}
await owner.query(
  `with made as (insert into roles (name, scope) values ('Clerk', 'all') returning id)
   insert into role_permissions (role_id, permission)
   select id, unnest(array['employees.view', 'employees.export']) from made`,
);
const traces = () =>
  deps.db.selectFrom('audit_log').selectAll().where('action', '=', 'export.created').orderBy('id').execute();

test('HR exports the list under the names the import reads', async () => {
  const answer = await client.get(
    `/api/employees/export?entity_id=${alpha.id}&sort_by=employee_number&sort_direction=desc`,
  );
  expect(answer.status).toBe(200);
  expect(answer.headers['content-type']).toBe('text/csv; charset=utf-8');
  expect(answer.headers['content-disposition']).toMatch(/filename="employees-\d{8}-\d{4}\.csv"/);
  expect(answer.headers).not.toHaveProperty('content-length');
  const rows = parse(answer.bytes, { columns: true, bom: true }) as Record<string, string>[];
  expect(rows).toMatchObject([
    {
      employee_number: 'A-2',
      first_name: "'=1+1",
      last_name: 'Park',
      email: lena.email,
      entity: 'Alpha',
      department: 'Buying',
      job_title: "'-",
      activity_status: 'active',
      employment_lifecycle: 'confirmed',
      reporting_manager: 'A-1',
      joining_date: '2020-02-29',
      display_name: '',
      phone: "'+44 113",
      role: 'Employee|Manager',
      extension_count: '0',
    },
    { employee_number: 'A-1', reporting_manager: '' },
  ]);
  const text = answer.bytes.toString('utf8');
  expect(text).not.toContain('GB00123456781234');
  expect(text).not.toContain('Leeds');
  expect(rows[0]).not.toHaveProperty('date_of_birth');
});

const looksAt = (id: number) =>
  deps.db
    .selectFrom('audit_log')
    .select(['action', 'actor_id'])
    .where('subject_type', '=', 'employee')
    .where('subject_id', '=', id)
    .where('action', 'like', '%_exported')
    .orderBy('id')
    .execute();

test('private details and bank accounts are exported on request, and recorded for each person', async () => {
  const [privately] = await exported('/api/employees/export?search=park&reveal=private');
  expect(privately).toMatchObject({ date_of_birth: '1990-01-01', address_city: 'Leeds', address_line1: '' });
  expect(privately).not.toHaveProperty('bank_iban');
  expect(await looksAt(lena.id)).toEqual([{ action: 'employee.private_exported', actor_id: hr.user_id }]);
  const columns = 'employee_number,bank_iban';
  expect(await exported(`/api/employees/export?search=park&reveal=bank&columns=${columns}`)).toEqual([
    { employee_number: 'A-2', bank_iban: 'GB00123456781234' },
  ]);
  expect((await looksAt(lena.id)).map(({ action }) => action)).toEqual([
    'employee.private_exported',
    'employee.bank_exported',
  ]);
  expect((await traces()).at(-1)?.changes).toMatchObject({ reveal: { to: 'bank' }, columns: { to: columns } });
  expect((await client.get('/api/employees/export?columns=bank_iban&reveal=private')).status).toBe(422);
  expect((await client.get('/api/employees/export?columns=date_of_birth')).status).toBe(422);
  expect((await client.get('/api/employees/export?reveal=all')).status).toBe(422);
  expect((await client.get('/api/employees/export?reveal=private&as_of=2025-01-01')).status).toBe(422);
});

test('private details of people out of their reach stay empty, and nothing is recorded of them', async () => {
  const local = await make.employee({ roles: [{ role: 'HR', entity_ids: [alpha.id] }], department_id: there.id });
  await owner.query(`insert into role_assignments (user_id, role_id) select $1, id from roles where name = 'Clerk'`, [
    local.user_id,
  ]);
  const far = await make.employee({
    department_id: there.id,
    employee_number: 'FAR',
    date_of_birth: '1980-05-05',
    bank: { iban: 'GB99' },
  });
  const rows = await exported('/api/employees/export?reveal=bank', await as(local.user_id));
  const of = (number: string) => rows.find(({ employee_number }) => employee_number === number);
  expect(of('A-2')).toMatchObject({ bank_iban: 'GB00123456781234' });
  expect(of('FAR')).toMatchObject({ date_of_birth: '', bank_iban: '' });
  expect(await looksAt(far.id)).toEqual([]);
});

test('every export is recorded with its filters, columns and number of rows before the file is written', async () => {
  const before = (await traces()).length;
  await exported(`/api/employees/export?entity_id=${alpha.id}&columns=email,employee_number`);
  const rows = await traces();
  expect(rows).toHaveLength(before + 1);
  expect(rows.at(-1)).toMatchObject({ actor_id: hr.user_id, subject_label: 'employees', subject_type: 'export' });
  expect(rows.at(-1)?.changes).toMatchObject({
    rows: { to: 2 },
    entity_id: { to: [alpha.id] },
    columns: { to: 'email,employee_number' },
  });
});

test('columns can be selected, and unknown ones are refused', async () => {
  expect(await exported(`/api/employees/export?search=park&columns=email,employee_number`)).toEqual([
    { employee_number: 'A-2', email: lena.email },
  ]);
  for (const columns of ['salary', 'email,bank', 'email,']) {
    const answer = await client.get(`/api/employees/export?columns=${columns}`);
    expect([answer.status, Object.keys(answer.body.errors)]).toEqual([422, ['columns']]);
  }
});

test('without the permission for private details their columns are absent', async () => {
  const { client: clerk } = await holder('all', ['employees.view', 'employees.export']);
  const [row] = await exported('/api/employees/export?search=park', clerk);
  expect(row).toMatchObject({ employee_number: 'A-2', joining_date: '2020-02-29', phone: "'+44 113" });
  for (const column of ['date_of_birth', 'gender', 'marital_status', 'nationality', 'mobile', 'personal_email'])
    expect(row).not.toHaveProperty(column);
  expect((await clerk.get('/api/employees/export?columns=date_of_birth')).status).toBe(422);
  for (const reveal of ['private', 'bank'])
    expect((await clerk.get(`/api/employees/export?reveal=${reveal}`)).status).toBe(403);
});

test('a user who sees all people does not necessarily export them', async () => {
  const viewer = await holder('own', ['employees.view', 'employees.view_all', 'employees.export']);
  expect((await viewer.client.get('/api/employees')).body.meta.total).toBeGreaterThan(3);
  const rows = await exported('/api/employees/export', viewer.client);
  expect(rows.map((row) => row.email)).toEqual([viewer.email]);
});

test('HR of one company exports that company and the own record', async () => {
  const local = await make.employee({ roles: [{ role: 'HR', entity_ids: [alpha.id] }], department_id: there.id });
  const rows = await exported('/api/employees/export', await as(local.user_id));
  expect(new Set(rows.map((row) => row.email))).toEqual(new Set([boss.email, lena.email, local.email]));
  expect(rows).toHaveLength(3);
});

test('a manager cannot export', async () => {
  const before = await traces();
  expect((await (await as(lena.user_id)).get('/api/employees/export')).status).toBe(403);
  expect(await traces()).toEqual(before);
});

test('a workbook holds the same people', async () => {
  const answer = await client.get('/api/employees/export?format=xlsx');
  expect(answer.headers['content-disposition']).toMatch(/\.xlsx"/);
  expect(answer.bytes.subarray(0, 2).toString()).toBe('PK');
});

test('more people than one batch are complete and in order', async () => {
  const { rows } = await owner.query<{ id: number }>(
    `with made as (insert into users (email) select 'many' || n || '@example.com' from generate_series(1, 2500) n returning id, email)
     insert into employees (user_id, employee_number, email, first_name, last_name, entity_id, department_id, employment_lifecycle)
     select id, 'M-' || id, email, 'Many', 'Many' || lpad(id::text, 8, '0'), $1, $2, 'confirmed' from made returning id`,
    [alpha.id, buying.id],
  );
  expect(rows).toHaveLength(2_500);
  const found = (await exported('/api/employees/export?search=many')).map((row) => row.last_name as string);
  expect(found).toHaveLength(2_500);
  expect(found).toEqual(found.toSorted());
});

test('deleted people are exported by users who can delete only', async () => {
  const gone = await make.employee({ department_id: there.id, employee_number: 'GONE' });
  await deps.db.updateTable('employees').set({ deleted_at: '2026-01-01' }).where('id', '=', gone.id).execute();
  expect((await exported('/api/employees/export?deleted=1')).map((row) => row['employee_number'])).toEqual(['GONE']);
  const clerk = await as((await make.employee({ roles: [{ role: 'Clerk', entity_ids: [alpha.id] }] })).user_id);
  const before = await traces();
  expect((await clerk.get('/api/employees/export?deleted=0')).status).toBe(200);
  expect((await clerk.get('/api/employees/export?deleted=1')).status).toBe(403);
  expect(await traces()).toHaveLength(before.length + 1);
});
