import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { HttpError } from '../http/errors.ts';
import { startApp } from '../testing/app.ts';
import { changeAddresses, changePeople, guardPeople } from './row-write.ts';

/** On every route, only Admins can change accounts with Admin. */

const { as, deps, make, owner } = await startApp();
const acme = await make.entity({ name: 'Acme' });
const purchasing = await make.department({ entity_id: acme.id });
const hr = await as((await make.employee({ roles: ['HR'] })).user_id);
const root = await as((await make.employee({ roles: ['Admin'] })).user_id);
const admin = () => make.employee({ department_id: purchasing.id, roles: ['Admin'] });
const because = { reason: 'As was agreed with everybody' };

const everything = async () => {
  const { rows } = await owner.query(
    `select (select json_agg(d order by d.id) from departments d) as departments,
            (select json_agg(e order by e.id) from employees e) as people,
            (select count(*) from job_history) as history, (select count(*) from audit_log) as trail`,
  );
  return rows[0] as unknown;
};

test('a department with an Admin moves to another company by an Admin only', async () => {
  const to = await make.entity();
  const from = await make.department();
  const below = await make.department({ entity_id: from.entity_id, parent_id: from.id });
  const { id } = await make.employee({ department_id: below.id, roles: ['Admin'] });
  await make.employee({ department_id: below.id });
  const before = await everything();
  for (const move_employees of [true, false])
    expect((await hr.put(`/api/departments/${from.id}`, { entity_id: to.id, move_employees })).status).toBe(403);
  expect(await everything()).toEqual(before);
  const body = { entity_id: to.id, move_employees: true };
  expect((await root.put(`/api/departments/${from.id}`, body)).status).toBe(200);
  expect((await root.get(`/api/employees/${id}`)).body.data.entity_id).toBe(to.id);
});

test.each([
  ['deactivate', because],
  ['separate', { ...because, type: 'resigned', last_working_date: '2099-01-01' }],
])('%s gives an Admin another manager by an Admin only', async (step, body) => {
  const [boss, heir] = [
    await make.employee({ department_id: purchasing.id }),
    await make.employee({ department_id: purchasing.id }),
  ];
  const { id } = await make.employee({
    department_id: purchasing.id,
    roles: ['Admin'],
    reporting_manager_id: boss.id,
  });
  const path = `/api/employees/${boss.id}/${step}`;
  const before = await everything();
  expect((await hr.post(path, { ...body, reassign_to: heir.id })).status).toBe(403);
  expect(await everything()).toEqual(before);
  expect((await root.post(path, { ...body, reassign_to: heir.id })).status).toBe(200);
  expect((await root.get(`/api/employees/${id}`)).body.data.reporting_manager.id).toBe(heir.id);
});

test('a bulk deactivation gives no Admin another manager', async () => {
  const [boss, heir] = [await make.employee(), await make.employee()];
  await make.employee({ roles: ['Admin'], reporting_manager_id: boss.id });
  const body = { kind: 'deactivate', ids: [boss.id], ...because, reassign_to: heir.id };
  const { body: answer } = await hr.post('/api/employees/bulk', body);
  expect(answer.data.rows).toMatchObject([
    { outcome: 'refused', errors: { id: ['You don’t have permission to do this.'] } },
  ]);
});

test('the guard checks each row, and lets Admins and the service itself pass', async () => {
  const [plain, chief] = [await make.employee(), await admin()];
  const refused = (work: Promise<unknown>) =>
    expect(work).rejects.toSatisfy((error) => error instanceof HttpError && error.status === 403);
  const { db } = deps;
  const someone = { is_admin: false };
  await refused(guardPeople(db, someone, [plain.id, chief.id]));
  await refused(guardPeople(db, someone, sql`array(select id from employees)`));
  await refused(changePeople(db, someone, [plain.id, chief.id], { job_title: 'Clerk' }));
  await refused(
    changeAddresses(db, { ...someone, user_id: plain.user_id }, [
      { user_id: chief.user_id, email: 'another@example.com' },
    ]),
  );
  for (const by of [{ is_admin: true }, 'service'] as const) await guardPeople(db, by, [plain.id, chief.id]);
  await guardPeople(db, someone, [plain.id]);
  await guardPeople(db, someone, []);
});

test('foreign keys update only the address of an account and the company of a department in rows of people', async () => {
  const { rows } = await owner.query(
    `select confrelid::regclass::text as to from pg_constraint
     where conrelid = 'employees'::regclass and contype = 'f' and (confupdtype <> 'a' or confdeltype <> 'a')
     order by 1`,
  );
  // guarded by changeAddresses and in features/departments
  expect(rows).toEqual([{ to: 'departments' }, { to: 'users' }]);
  const { rows: triggers } = await owner.query(
    `select proname from pg_proc where prosrc ~* '(update|insert into|delete from)\\s+employees\\y'
       and regexp_replace(prosrc, 'update employees set revision = revision \\+ 1\\s+where', '', 'g') ~* '(update|insert into|delete from)\\s+employees\\y'`,
  );
  expect(triggers).toEqual([]);
});
