import { expect, test } from 'vitest';
import { startApp } from '../../testing/app.ts';
import { brokenInvariants } from '../../invariants/invariants.ts';
import { connect } from '../../db/connect.ts';

const { as, make, owner, database, deps } = await startApp();
const works = await make.entity({ name: 'Works' });
const hall = await make.department({ entity_id: works.id, name: 'Hall' });
const hr = await as((await make.employee({ roles: ['HR'] })).user_id);
await make.admin();

const upload = (content: string, fields: Record<string, string> = {}) =>
  hr.upload('/api/employees/import', { name: 'staff.csv', content }, { dry_run: '1', ...fields });
const commit = async (checked: { body: { data: { id: number; plan_hash: string } } }) =>
  hr.post(`/api/employees/imports/${checked.body.data.id}/commit`, { plan_hash: checked.body.data.plan_hash });
const people = async () =>
  (
    await owner.query(
      `select employee_number, email, user_id is not null as account from employees
       where employee_number like 'W-%' order by employee_number`,
    )
  ).rows;

test('a file without a column of addresses brings people without a sign-in, with a warning in each row', async () => {
  const checked = await upload(
    'employee_number,first_name,last_name,entity,department\nW-1,Ivo,Adam,Works,Hall\nW-2,Ada,Blum,Works,Hall\n',
  );
  expect([checked.status, checked.body.data.counts]).toEqual([
    201,
    { total: 2, valid: 2, created: 2, updated: 0, skipped: 0, failed: 0, warnings: 2 },
  ]);
  const rows = await hr.get(`/api/employees/imports/${checked.body.data.id}/rows`);
  expect(rows.body.data[0].warnings).toEqual({ email: ['No email address: this person gets no sign-in.'] });
  expect((await commit(checked)).body.message).toMatch(/2 created/);
  expect(await people()).toEqual([
    { employee_number: 'W-1', email: null, account: false },
    { employee_number: 'W-2', email: null, account: false },
  ]);
});

test('rows with and without an address mix; roles need one', async () => {
  const checked = await upload(
    `employee_number,first_name,last_name,email,entity,department,role
W-3,Eva,Cole,eva@works.example,Works,Hall,
W-4,Jan,Dorn,,Works,Hall,Employee
W-5,Kai,Egge,,Works,Hall,Manager
`,
  );
  const failed = await hr.get(`/api/employees/imports/${checked.body.data.id}/rows?status=failed`);
  expect(failed.body.data.map(({ key, errors }: { key: string; errors: object }) => [key, errors])).toEqual([
    ['W-5', { role: ['A person without an email address has no sign-in and no roles.'] }],
  ]);
  const done = await hr.post(`/api/employees/imports/${checked.body.data.id}/commit`, {
    plan_hash: checked.body.data.plan_hash,
    mode: 'partial',
  });
  expect(done.status).toBe(200);
  expect((await people()).slice(2)).toEqual([
    { employee_number: 'W-3', email: 'eva@works.example', account: true },
    { employee_number: 'W-4', email: null, account: false },
  ]);
});

test('an update by number leaves addresses alone without a column, and gives one with an account and its roles', async () => {
  const silent = await upload('employee_number,job_title\nW-1,Fitter\nW-3,Foreman\n', { on_conflict: 'update' });
  expect((await commit(silent)).body.message).toMatch(/2 updated/);
  expect((await people())[2]).toMatchObject({ email: 'eva@works.example' });
  const given = await upload(
    'employee_number,email,role\nW-1,ivo@works.example,\nW-2,ada@works.example,TeamLead\nW-3,,\n',
    { on_conflict: 'update' },
  );
  expect((await commit(given)).body.message).toMatch(/2 updated, 1 skipped/);
  const { rows } = await owner.query(
    `select e.employee_number as number, u.email, array(select r.name from role_assignments a join roles r on r.id = a.role_id
                                              where a.user_id = u.id order by 1) as roles
     from employees e join users u on u.id = e.user_id where e.employee_number in ('W-1', 'W-2', 'W-3') order by 1`,
  );
  expect(rows).toEqual([
    { number: 'W-1', email: 'ivo@works.example', roles: ['Employee'] },
    { number: 'W-2', email: 'ada@works.example', roles: ['TeamLead'] },
    { number: 'W-3', email: 'eva@works.example', roles: ['Employee'] },
  ]);
  // an undo deletes the accounts, except that of a person who signed in
  await as((await owner.query(`select user_id from employees where employee_number = 'W-2'`)).rows[0].user_id);
  const undone = await hr.post(`/api/employees/imports/${given.body.data.id}/undo`);
  expect([undone.status, undone.body.data.kept_count]).toEqual([200, 1]);
  expect((await people()).slice(0, 2)).toEqual([
    { employee_number: 'W-1', email: null, account: false },
    { employee_number: 'W-2', email: 'ada@works.example', account: true },
  ]);
});

test('what was imported and undone breaks no invariant', async () => {
  const { db } = connect({ url: database.ownerUrl, max: 2 });
  expect(hall.entity_id).toBe(works.id);
  expect(await brokenInvariants(db, deps.config.DATA_DIR)).toEqual([]);
  await db.destroy();
});
