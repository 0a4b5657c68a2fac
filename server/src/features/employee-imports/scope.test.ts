import { expect, test } from 'vitest';
import { startApp } from '../../testing/app.ts';
import type { Client } from '../../testing/client.ts';

const { as, make, deps, owner } = await startApp();
const [ours, theirs] = [await make.entity({ name: 'Ours' }), await make.entity({ name: 'Theirs' })];
const crew = await make.department({ entity_id: ours.id, name: 'Crew' });
const others = await make.department({ entity_id: theirs.id, name: 'Others' });
const limited = { roles: [{ role: 'HR', entity_ids: [ours.id] }] };
const me = await make.employee({ ...limited, department_id: crew.id, employee_number: 'ME' });
const hr = await as(me.user_id);
const everywhere = await as((await make.employee({ roles: ['HR'] })).user_id);

const header =
  'employee_number,first_name,last_name,email,entity,department,reporting_manager,role,nationality,job_title';
let serial = 0;

async function importPeople(client: Client, lines: string[], fields: Record<string, string> = {}) {
  serial += 1;
  const content = [header, ...lines].join('\n');
  const answer = await client.upload(
    '/api/employees/import',
    { name: `s${serial}.csv`, content },
    { dry_run: '1', ...fields },
  );
  expect(answer.status).toBe(201);
  const rows = await client.get(`/api/employees/imports/${answer.body.data.id}/rows?per_page=100`);
  return { id: answer.body.data.id as number, rows: rows.body.data };
}
const errorsOf = ({ rows }: { rows: { errors: object }[] }) => rows.map(({ errors }) => errors);
const notPermitted = { employee_number: ['You don’t have permission to import this row.'] };

test('rows can name companies, departments and managers in reach only', async () => {
  const stranger = await make.employee({ department_id: others.id, employee_number: 'STRANGER' });
  const found = await importPeople(hr, [
    'S-1,Ann,Lee,s1@example.com,Ours,Crew,ME,,,',
    'S-2,Ann,Lee,s2@example.com,Theirs,Others,,,,',
    'S-3,Ann,Lee,s3@example.com,Ours,Others,,,,',
    `S-4,Ann,Lee,s4@example.com,Ours,Crew,STRANGER,,,`,
    `S-5,Ann,Lee,s5@example.com,Ours,Crew,${stranger.email},,,`,
    'S-6,Ann,Lee,s6@example.com,Ours,Crew,Ann Lee,,,',
  ]);
  expect(errorsOf(found)).toEqual([
    {},
    { entity_id: ['No company is called “Theirs”. Select a company or create it first.'] },
    { department_id: ['No department of this company is called “Others”. Select a department or create it first.'] },
    { reporting_manager_id: ['No employee matches “STRANGER”. Use an employee number, email or full name.'] },
    { reporting_manager_id: [`No employee matches “${stranger.email}”. Use an employee number, email or full name.`] },
    {
      reporting_manager_id: [
        'Several people are called “Ann Lee”: S-1, S-2, S-3, S-4, S-5, …. Use the employee number or email.',
      ],
    },
  ]);
});

test('an unknown name is answered with a similar one, among those in reach only', async () => {
  const found = await importPeople(hr, [
    'L-1,Ann,Lee,l1@example.com,Our,Crew,,,,',
    'L-2,Ann,Lee,l2@example.com,Ours,Crews,,,,',
    'L-3,Ann,Lee,l3@example.com,Theirz,Other,,,,',
    'L-4,Ann,Lee,l4@example.com,Ours,Other,,,,',
  ]);
  expect(errorsOf(found)).toEqual([
    { entity_id: ['No company is called “Our”. Did you mean Ours?'] },
    { department_id: ['No department of this company is called “Crews”. Did you mean Crew?'] },
    { entity_id: ['No company is called “Theirz”. Select a company or create it first.'] },
    { department_id: ['No department of this company is called “Other”. Select a department or create it first.'] },
  ]);
});

test('a row with a taken number has the errors of its other cells too', async () => {
  const line = 'me,,Lee,not an address,Ours,Crew,NOBODY,Helper,,';
  const { rows } = await importPeople(hr, [line]);
  expect(Object.keys(rows[0].errors).sort()).toEqual([
    'email',
    'employee_number',
    'first_name',
    'reporting_manager_id',
    'role',
  ]);
  expect(rows[0].errors.employee_number).toEqual(['The employee number has already been taken by an active employee.']);
});

test('a row about a person out of reach reveals nothing about the person, whatever its effect', async () => {
  await make.employee({ department_id: others.id, employee_number: 'HIDDEN', first_name: 'Secretname' });
  for (const on_conflict of ['fail', 'update', 'skip']) {
    const found = await importPeople(hr, ['hidden,New,Name,new@example.com,Ours,Crew,,,,'], { on_conflict });
    expect(found.rows[0]).toMatchObject({ status: 'failed', action: 'none', subject_id: null, changes: null });
    expect(found.rows[0].errors).toEqual(notPermitted);
    expect(JSON.stringify(found.rows)).not.toContain('Secretname');
  }
  // the owner of a taken email is only named to readers of that person
  const taken = await make.employee({
    department_id: others.id,
    employee_number: 'TAKEN',
    activity_status: 'inactive',
  });
  const line = `S-9,Ann,Lee,${taken.email.toUpperCase()},Ours,Crew,,,,`;
  expect(errorsOf(await importPeople(hr, [line]))).toEqual([{ email: ['The email has already been taken.'] }]);
  expect(errorsOf(await importPeople(everywhere, [line]))).toEqual([
    { email: ['The email has already been taken by an inactive employee (TAKEN).'] },
  ]);
});

test('numbers and addresses of inactive and deleted people and of accounts without a person stay taken', async () => {
  await make.employee({ department_id: crew.id, employee_number: 'GONE', deleted_at: '2026-01-01T00:00:00Z' });
  await make.employee({ department_id: crew.id, employee_number: 'IDLE', activity_status: 'inactive' });
  const { email } = await make.admin();
  const lines = [
    'gone,Ann,Lee,x1@example.com,Ours,Crew,,,,',
    'IDLE,Ann,Lee,x2@example.com,Ours,Crew,,,,',
    `S-10,Ann,Lee,${email},Ours,Crew,,,,`,
    'S-11,Ann,Lee,twice@example.com,Ours,Crew,,,,',
    's-11,Ann,Lee,Twice@example.com,Ours,Crew,,,,',
  ];
  const found = await importPeople(hr, lines);
  expect(errorsOf(found)).toEqual([
    { employee_number: ['The employee number has already been taken by a deleted employee.'] },
    { employee_number: ['The employee number has already been taken by an inactive employee.'] },
    { email: ['The email has already been taken by an account that isn’t an employee.'] },
    ...[1, 2].map(() => ({
      employee_number: ['Rows 5 and 6 have the same employee number.'],
      email: ['Rows 5 and 6 have the same email.'],
    })),
  ]);
  const updating = await importPeople(hr, lines.slice(0, 1), { on_conflict: 'update' });
  expect(errorsOf(updating)).toEqual([
    { employee_number: ['The employee number has already been taken by a deleted employee.'] },
  ]);
  const skipping = await importPeople(hr, lines.slice(0, 2), { on_conflict: 'skip' });
  expect(
    skipping.rows.map(({ action, warnings }: { action: string; warnings: object }) => [action, Object.keys(warnings)]),
  ).toEqual([
    ['skip', ['employee_number']],
    ['skip', []],
  ]);
});

test("an import changes neither the own record nor an administrator's; without changes they are skipped", async () => {
  const admin = await make.employee({ roles: ['Admin'], department_id: crew.id, employee_number: 'BOSS' });
  const mine = `ME,First1,Last1,${me.email},Ours,Crew,,,,`;
  const same = await importPeople(hr, [mine.replace(/First1,Last1/, ',')], { on_conflict: 'update' });
  expect(same.rows[0]).toMatchObject({ status: 'valid', action: 'skip' });
  const changed = await importPeople(hr, [`ME,Other,,,,,,,,`, `BOSS,Other,,,,,,,,`], { on_conflict: 'update' });
  expect(errorsOf(changed)).toEqual([notPermitted, notPermitted]);
  const asAdmin = await importPeople(await as((await make.admin()).user_id), ['BOSS,Other,,,,,,,,'], {
    on_conflict: 'update',
  });
  expect(asAdmin.rows[0]).toMatchObject({ status: 'valid', action: 'update', subject_id: admin.id });
});

test("an import gives roles within the importer's own, and never Admin", async () => {
  const line = (n: number, role: string) => `R-${n},Ann,Lee,r${n}@example.com,Ours,Crew,,${role},,`;
  const lines = [line(1, ''), line(2, 'manager|Employee'), line(3, 'Admin'), line(4, 'Wizard')];
  const found = await importPeople(hr, lines);
  expect(errorsOf(found)).toEqual([
    {},
    {},
    { role: ['You can’t give or remove the Admin role by import.'] },
    { role: ['No role is called “Wizard”.'] },
  ]);
  expect((await hr.post(`/api/employees/imports/${found.id}/commit`)).body.data.counts).toMatchObject({
    created: 2,
    failed: 2,
  });
  const { rows } = await owner.query(
    `select r.name, a.entity_ids from employees e join role_assignments a on a.user_id = e.user_id
     join roles r on r.id = a.role_id where e.employee_number = 'R-2' order by r.name`,
  );
  // a role given by an importer for one company is limited to it
  expect(rows).toEqual([
    { name: 'Employee', entity_ids: null },
    { name: 'Manager', entity_ids: [String(ours.id)] },
  ]);
  const role = await deps.db
    .insertInto('roles')
    .values({ name: 'Importer', scope: 'all' })
    .returning('id')
    .executeTakeFirstOrThrow();
  for (const permission of ['employees.view', 'employees.import', 'employees.create', 'departments.view'])
    await deps.db.insertInto('role_permissions').values({ role_id: role.id, permission }).execute();
  const importer = await as((await make.employee({ roles: [{ role: 'Importer', entity_ids: [ours.id] }] })).user_id);
  const plain = await importPeople(importer, [
    line(5, 'Employee'),
    line(6, 'Manager'),
    'R-7,Ann,Lee,r7@example.com,Ours,Crew,,,Dutch,',
  ]);
  expect(errorsOf(plain)).toEqual([
    {},
    { role: ['You don’t have permission to give this role.'] },
    { nationality: ['You don’t have permission to set the nationality.'] },
  ]);
  // private cells are returned to readers of private fields
  expect(plain.rows[2].cells).not.toHaveProperty('nationality');
  const refused = await importer.upload(
    '/api/employees/import',
    { name: 'd.csv', content: `${header}\n${line(8, '')}` },
    { create_departments: '1' },
  );
  expect(refused.status).toBe(403);
});

test('imports of other users are absent, except with scope `all`; only their uploader works on them', async () => {
  const { id } = await importPeople(everywhere, ['I-1,Ann,Lee,i1@example.com,Ours,Crew,,,,']);
  for (const path of ['', '/rows', '/errors.csv'])
    expect((await hr.get(`/api/employees/imports/${id}${path}`)).status).toBe(404);
  expect((await hr.post(`/api/employees/imports/${id}/commit`)).status).toBe(404);
  expect((await hr.delete(`/api/employees/imports/${id}`)).status).toBe(404);
  const listed = await hr.get('/api/employees/imports?per_page=100');
  expect(listed.body.data.map((one: { created_by: { user_id: number } }) => one.created_by.user_id)).not.toContain(
    (await everywhere.get('/api/me')).body.data.user.id,
  );
  expect(listed.body.meta.total).toBeGreaterThan(0);
  const colleague = await as((await make.employee({ roles: ['HR'] })).user_id);
  const seen = await colleague.get(`/api/employees/imports/${id}`);
  expect([seen.status, seen.body.data.allowed_actions]).toEqual([200, []]);
  for (const answer of [
    await colleague.post(`/api/employees/imports/${id}/commit`),
    await colleague.put(`/api/employees/imports/${id}`, { mode: 'atomic' }),
    await colleague.put(`/api/employees/imports/${id}/rows/2`, { cells: { first_name: 'X' } }),
    await colleague.delete(`/api/employees/imports/${id}`),
  ])
    expect(answer.status).toBe(403);
  const manager = await as((await make.employee({ roles: ['Manager'] })).user_id);
  expect((await manager.get('/api/employees/imports')).status).toBe(403);
  expect((await everywhere.delete(`/api/employees/imports/${id}`)).status).toBe(204);
  expect((await everywhere.get(`/api/employees/imports/${id}`)).status).toBe(404);
});

test('a role that a provider gives is left as it is', async () => {
  const person = await make.employee({ roles: ['Employee'], department_id: crew.id, employee_number: 'GROUPED' });
  const { rows } = await owner.query<{ id: number }>(
    `insert into identity_providers (name, issuer, client_id, metadata) values ('Groups', 'https://op.example', 'x', '{}')
     returning id`,
  );
  await owner.query(
    `insert into user_identities (user_id, provider_id, subject, linked_by) values ($1, $2, 'grouped', 'person')`,
    [person.user_id, rows[0]?.id],
  );
  await owner.query(
    `insert into role_assignments (user_id, role_id, entity_ids, source, provider_id)
     select $1, id, $2, 'provider', $3 from roles where name = 'Manager'`,
    [person.user_id, [ours.id, theirs.id], rows[0]?.id],
  );
  const line = `GROUPED,Kim,Roe,${person.email},Ours,Crew,,Employee|Manager,,Lead`;
  const { id } = await importPeople(everywhere, [line], { on_conflict: 'update' });
  const committed = await everywhere.post(`/api/employees/imports/${id}/commit`, {});
  expect(committed.status).toBe(200);
  const { rows: held } = await owner.query(
    `select a.source, a.entity_ids::int[] from role_assignments a join roles r on r.id = a.role_id
     where a.user_id = $1 and r.name = 'Manager'`,
    [person.user_id],
  );
  expect(held).toEqual([{ source: 'provider', entity_ids: [ours.id, theirs.id] }]);
});
