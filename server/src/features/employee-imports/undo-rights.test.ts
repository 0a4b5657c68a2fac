import { beforeEach, describe, expect, test } from 'vitest';
import { startApp } from '../../testing/app.ts';
import type { Answer } from '../../testing/client.ts';
import type { MadeEmployee } from '../../testing/make.ts';

/** An undo is checked like a direct change: rows that cannot be undone stay and are listed. */

const { as, make, deps, owner } = await startApp();
const acme = await make.entity({ name: 'Acme Foods Ltd' });
const sales = await make.department({ entity_id: acme.id, name: 'Sales' });
const roleIds = Object.fromEntries(
  (await deps.db.selectFrom('roles').select(['id', 'name']).execute()).map(({ id, name }) => [name, id]),
) as Record<string, number>;
const admin = await as((await make.employee({ roles: ['Admin'] })).user_id);
const hrPerson = await make.employee({ entity_id: acme.id, roles: ['HR'] });
const hr = await as(hrPerson.user_id);
type Client = typeof hr;

const ok = ({ status, body }: Answer) => {
  expect([200, 201], JSON.stringify(body)).toContain(status);
  return body.data;
};
const header = 'employee_number,first_name,last_name,email,entity,department,job_title,role,reporting_manager';
type Row = Partial<Record<'email' | 'job_title' | 'role' | 'reporting_manager' | 'department', string>>;
let serial = 0;
const line = ({ employee_number, email }: Pick<MadeEmployee, 'employee_number' | 'email'>, row: Row = {}) =>
  [
    employee_number,
    'Kim',
    'Lee',
    row.email ?? email,
    'Acme Foods Ltd',
    row.department ?? 'Sales',
    row.job_title ?? '',
    row.role ?? '',
    row.reporting_manager ?? '',
  ].join(',');

async function importAs(client: Client, lines: string[], heading = header) {
  serial += 1;
  const file = { name: `rows-${serial}.csv`, content: [heading, ...lines].join('\n') };
  const found = ok(await client.upload('/api/employees/import', file, { on_conflict: 'update' }));
  expect(found, JSON.stringify(found)).toMatchObject({ status: 'completed', counts: { failed: 0 } });
  return found.id as number;
}
const undo = (client: Client, id: number) => client.post(`/api/employees/imports/${id}/undo`);
const rowsOf = async (client: Client, id: number) =>
  (ok(await client.get(`/api/employees/imports/${id}/rows`)) as { status: string }[]).map(({ status }) => status);
const person = (fields: Parameters<typeof make.employee>[0] = {}) =>
  make.employee({ department_id: sales.id, first_name: 'Kim', last_name: 'Lee', ...fields });
const read = async (id: number) => ok(await admin.get(`/api/employees/${id}`));
const rolesOf = async (id: number) => ((await read(id)).roles as { name: string }[]).map(({ name }) => name);
/** A file with the employee number and one change. */
const only = (column: string) => `employee_number,${column}`;

/** A role for all people with the import permission and these permissions. */
async function desk(...more: string[]): Promise<{ id: number }> {
  serial += 1;
  const made = await deps.db
    .insertInto('roles')
    .values({ name: `Import desk ${serial}`, scope: 'all' })
    .returning('id')
    .executeTakeFirstOrThrow();
  const usual = ['employees.view', 'employees.update', 'employees.import', 'employees.create'];
  for (const permission of [...usual, ...more])
    await deps.db.insertInto('role_permissions').values({ role_id: made.id, permission }).execute();
  return made;
}

let bystander: MadeEmployee;
beforeEach(async () => {
  bystander = await person({ job_title: 'Clerk' });
});

/** The bystander's row is undone in each case: a refused row does not stop the others. */
async function undoneBut(client: Client, id: number, reason: string) {
  const found = ok(await undo(client, id));
  expect(found).toMatchObject({
    status: 'partly_undone',
    kept_count: 1,
    kept_rows: [{ row: 2, reason }],
    allowed_actions: ['undo'],
  });
  expect(await rowsOf(client, id)).toEqual(['updated', 'undone']);
  expect(await read(bystander.id)).toMatchObject({ job_title: 'Clerk' });
}

describe('an undo makes no change that its sender cannot make directly', () => {
  test('to the record of an Admin', async () => {
    const boss = await person({ roles: ['Admin'], job_title: 'Director' });
    const rows = [
      line(boss, { email: `new-${boss.email}`, job_title: 'Clerk' }),
      line(bystander, { job_title: 'Buyer' }),
    ];
    const id = await importAs(admin, rows);
    expect((await hr.put(`/api/employees/${boss.id}`, { job_title: 'Director' })).status).toBe(403);
    await undoneBut(hr, id, 'not_permitted');
    expect(await read(boss.id)).toMatchObject({ job_title: 'Clerk', email: `new-${boss.email}` });
    // a permitted actor continues the undo
    expect(ok(await undo(admin, id))).toMatchObject({ status: 'undone', kept_count: 0, kept_rows: [] });
    expect(await read(boss.id)).toMatchObject({ job_title: 'Director', email: boss.email });
  });

  test('to the own record', async () => {
    const me = await person({ roles: ['HR'], job_title: 'Head of HR' });
    const mine = await as(me.user_id);
    const id = await importAs(admin, [
      line(me, { job_title: 'Clerk', role: 'HR' }),
      line(bystander, { job_title: 'Buyer' }),
    ]);
    expect((await mine.put(`/api/employees/${me.id}`, { job_title: 'Head of HR' })).status).toBe(403);
    await undoneBut(mine, id, 'not_permitted');
    expect(await read(me.id)).toMatchObject({ job_title: 'Clerk' });
  });

  test('to roles that an Admin removed and that exceed the own ones', async () => {
    const keeper = await desk('employees.deactivate', 'employees.assign_roles', 'employees.view_sensitive');
    const importer = await make.employee({ entity_id: acme.id, roles: [] });
    await owner.query('insert into role_assignments (user_id, role_id) values ($1, $2)', [importer.user_id, keeper.id]);
    const client = await as(importer.user_id);
    const former = await person({ roles: ['HR'] });
    const rows = [`${former.employee_number},,Employee`, `${bystander.employee_number},Buyer,`];
    const id = await importAs(admin, rows, 'employee_number,job_title,role');
    expect(await rolesOf(former.id)).toEqual(['Employee']);
    const wanted = { assignments: [{ role_id: roleIds['HR'] }] };
    expect((await client.put(`/api/employees/${former.id}/roles`, wanted)).status).toBe(403);
    await undoneBut(client, id, 'not_permitted');
    expect(await rolesOf(former.id)).toEqual(['Employee']);
    expect(ok(await undo(hr, id)).status).toBe('undone');
    expect(await rolesOf(former.id)).toEqual(['HR']);
  });

  test('to the address of an account with more rights', async () => {
    const limitedPerson = await person({ roles: [{ role: 'HR', entity_ids: [acme.id] }] });
    const limited = await as(limitedPerson.user_id);
    const wide = await person({ roles: ['Employee'] });
    const rows = [line(wide, { email: `new-${wide.email}` }), line(bystander, { job_title: 'Buyer' })];
    const id = await importAs(limited, rows);
    // the account gained rights after the import
    await owner.query('insert into role_assignments (user_id, role_id) values ($1, $2)', [wide.user_id, roleIds['HR']]);
    await undoneBut(limited, id, 'not_permitted');
    expect(await read(wide.id)).toMatchObject({ email: `new-${wide.email}` });
  });

  test('to people outside the own companies', async () => {
    const beta = await make.entity();
    const elsewhere = await make.department({ entity_id: beta.id });
    const limitedPerson = await person({ roles: [{ role: 'HR', entity_ids: [acme.id, beta.id] }] });
    const limited = await as(limitedPerson.user_id);
    const moved = await person({ department_id: elsewhere.id });
    const rows = [`${moved.employee_number},Seller`, `${bystander.employee_number},Buyer`];
    const id = await importAs(limited, rows, only('job_title'));
    await owner.query('update role_assignments set entity_ids = $2 where user_id = $1', [
      limitedPerson.user_id,
      [acme.id],
    ]);
    await undoneBut(limited, id, 'not_permitted');
    expect(await read(moved.id)).toMatchObject({ job_title: 'Seller' });
  });

  test('to managers, where managing the person exceeds the own rights', async () => {
    const me = await person({ roles: ['Manager'] });
    const { id: role_id } = await desk();
    await owner.query('insert into role_assignments (user_id, role_id) values ($1, $2)', [me.user_id, role_id]);
    const mine = await as(me.user_id);
    const report = await person({ reporting_manager_id: me.id });
    const rows = [`${report.employee_number},-,`, `${bystander.employee_number},,Buyer`];
    const id = await importAs(admin, rows, 'employee_number,reporting_manager,job_title');
    expect((await mine.put(`/api/employees/${report.id}`, { reporting_manager_id: me.id })).status).toBe(403);
    await undoneBut(mine, id, 'not_permitted');
    expect(await read(report.id)).toMatchObject({ reporting_manager_id: null });
  });

  test('to people it created, without the permission to end employments', async () => {
    const made = 'NEW-1,Ada,May,ada.may@example.com,Acme Foods Ltd,Sales,,,';
    const id = await importAs(hr, [made, line(bystander, { job_title: 'Buyer' })]);
    await owner.query(`delete from role_permissions where permission = 'employees.deactivate' and role_id = $1`, [
      roleIds['HR'],
    ]);
    try {
      const found = ok(await undo(hr, id));
      expect(found).toMatchObject({ status: 'partly_undone', kept_rows: [{ row: 2, reason: 'not_permitted' }] });
    } finally {
      await owner.query(`insert into role_permissions (role_id, permission) values ($1, 'employees.deactivate')`, [
        roleIds['HR'],
      ]);
    }
    expect(await rowsOf(hr, id)).toEqual(['created', 'undone']);
    expect(ok(await undo(hr, id)).status).toBe('undone');
    expect(ok(await hr.get('/api/employees?search=ada.may'))).toEqual([]);
  });
});

describe('a row that cannot be undone stays', () => {
  test('together with the people who are its managers', async () => {
    const [top, low] = [`TOP-${serial}`, `LOW-${serial}`];
    const made = (number: string, manager: string) =>
      `${number},Ada,${number},${number.toLowerCase()}@example.com,Acme Foods Ltd,Sales,,,${manager}`;
    const id = await importAs(hr, [made(top, ''), made(low, top), line(bystander, { job_title: 'Buyer' })]);
    const [{ id: lowId }] = ok(await hr.get(`/api/employees?search=${low}`));
    ok(await hr.put(`/api/employees/${lowId}`, { job_title: 'Changed' }));
    expect(ok(await undo(hr, id))).toMatchObject({
      status: 'partly_undone',
      kept_count: 2,
      kept_rows: [
        { row: 2, reason: 'manages_others' },
        { row: 3, reason: 'changed_since' },
      ],
    });
    expect(await rowsOf(hr, id)).toEqual(['created', 'created', 'undone']);
  });

  test('where the earlier address or manager is not available any more', async () => {
    const manager = await person({});
    const [first, second] = [await person({}), await person({ reporting_manager_id: manager.id })];
    const rows = [
      `${first.employee_number},moved-${first.email},,`,
      `${second.employee_number},,-,`,
      `${bystander.employee_number},,,Buyer`,
    ];
    const id = await importAs(hr, rows, 'employee_number,email,reporting_manager,job_title');
    await person({ email: first.email });
    await owner.query(`update employees set activity_status = 'inactive' where id = $1`, [manager.id]);
    expect(ok(await undo(hr, id))).toMatchObject({
      kept_rows: [
        { row: 2, reason: 'not_valid' },
        { row: 3, reason: 'not_valid' },
      ],
    });
    expect(await read(bystander.id)).toMatchObject({ job_title: 'Clerk' });
  });

  test('where the earlier manager reports to the person by now', async () => {
    const manager = await person({});
    const report = await person({ reporting_manager_id: manager.id });
    const rows = [`${report.employee_number},-,`, `${bystander.employee_number},,Buyer`];
    const id = await importAs(hr, rows, 'employee_number,reporting_manager,job_title');
    ok(await hr.put(`/api/employees/${manager.id}`, { reporting_manager_id: report.id }));
    await undoneBut(hr, id, 'not_valid');
    expect(await read(report.id)).toMatchObject({ reporting_manager_id: null });
  });

  test('and without any undone row nothing changes', async () => {
    const id = await importAs(hr, [line(bystander, { job_title: 'Buyer' })]);
    ok(await hr.put(`/api/employees/${bystander.id}`, { job_title: 'Head' }));
    const answer = await undo(hr, id);
    expect([answer.status, answer.body.errors]).toEqual([
      422,
      { rows: ['The person in row 2 has been changed since the import.'] },
    ]);
    expect(ok(await hr.get(`/api/employees/imports/${id}`))).toMatchObject({ status: 'completed', kept_count: 0 });
  });
});

test('the reasons of kept rows are shown to the account that tried the undo', async () => {
  const boss = await person({ roles: ['Admin'], job_title: 'Director' });
  const id = await importAs(admin, [line(boss, { job_title: 'Clerk' }), line(bystander, { job_title: 'Buyer' })]);
  await undoneBut(hr, id, 'not_permitted');
  expect(ok(await admin.get(`/api/employees/imports/${id}`))).toMatchObject({
    kept_count: 1,
    kept_rows: [{ row: 2, reason: null }],
  });
});

test('an undo notifies, records and ends sessions like the change itself', async () => {
  const former = await person({ roles: ['Employee'] });
  const rows = [`${former.employee_number},new-${former.email},Manager`];
  const id = await importAs(hr, rows, 'employee_number,email,role');
  const session = await as(former.user_id);
  expect(ok(await undo(hr, id)).status).toBe('undone');
  expect((await session.get('/api/me')).status).toBe(401);
  const { rows: notified } = await owner.query<{ event: string }>(
    'select event, count(*)::int from notifications where user_id = $1 group by 1 order by 1',
    [former.user_id],
  );
  expect(notified).toEqual([
    { event: 'account_security_notice', count: 2 },
    { event: 'role_changed', count: 2 },
  ]);
  const { rows: traces } = await owner.query(
    `select changes from audit_log where subject_id = $1 and action = 'employee.roles_changed' order by id desc limit 1`,
    [former.id],
  );
  expect(traces[0].changes.roles).toEqual({ from: 'Manager', to: 'Employee' });
});
