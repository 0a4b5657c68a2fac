import { describe, expect, test } from 'vitest';
import { applyDueJobChanges } from '../features/job-history/apply.ts';
import { startApp } from '../testing/app.ts';

const { as, make, deps, owner } = await startApp();
const reason = 'Because it was decided so.';
const acme = await make.entity({ name: 'Acme Foods' });
const department = await make.department({ entity_id: acme.id });
const inAcme = { department_id: department.id };
const admin = await make.admin();
const hr = await make.employee({ ...inAcme, roles: ['HR'] });
const localHr = await make.employee({ ...inAcme, roles: [{ role: 'HR', entity_ids: [acme.id] }] });
const otherHr = await make.employee({ roles: [{ role: 'HR', entity_ids: [(await make.entity()).id] }] });
const manager = await make.employee({ ...inAcme, roles: ['Manager'] });
const bystander = await make.employee(inAcme);
const doer = await make.employee({ ...inAcme, roles: ['HR'] });
const client = await as(doer.user_id);

type Notification = { user_id: number; event: string; variant: string; url: string; params: Record<string, unknown> };

/** Notifications of an event about a subject, ordered by account. */
async function notified(event: string, subjectId: number): Promise<Notification[]> {
  const { rows } = await owner.query<Notification>(
    `select user_id::int, event, variant, url, params from notifications
     where event = $1 and subject_id = $2 order by user_id, id`,
    [event, subjectId],
  );
  return rows;
}
const accountsOf = (rows: readonly Notification[]) => rows.map(({ user_id }) => user_id);
const sorted = (...ids: number[]) => ids.toSorted((a, b) => a - b);
const countAll = async () => (await owner.query('select count(*)::int as n from notifications')).rows[0].n as number;

let serial = 0;
const newPerson = () => ({
  email: `new${(serial += 1)}@example.com`,
  first_name: 'Lena',
  last_name: 'Park',
  entity_id: acme.id,
  department_id: department.id,
  reporting_manager_id: manager.id,
});
const create = async (more = {}) => {
  const answer = await client.post('/api/employees', { ...newPerson(), ...more });
  expect(answer.status).toBe(201);
  return answer.body.data as { id: number; user: { id: number } };
};

describe('a new person', () => {
  test('notifies HR of the company and the manager, not the creator, administrators or others', async () => {
    const { id } = await create();
    const rows = await notified('employee_created', id);
    expect(accountsOf(rows)).toEqual(sorted(hr.user_id, localHr.user_id, manager.user_id));
    expect(rows[0]).toMatchObject({
      url: `/employees/${id}`,
      params: { person: 'Lena Park', company: 'Acme Foods' },
      variant: 'plain',
    });
  });

  test('who is HR gets no notification of the own arrival', async () => {
    const { rows } = await owner.query("select id::int from roles where name = 'HR'");
    const root = await as(admin.user_id);
    const answer = await root.post('/api/employees', { ...newPerson(), assignments: [{ role_id: rows[0].id }] });
    const { id, user } = answer.body.data;
    expect(accountsOf(await notified('employee_created', id))).not.toContain(user.id);
    await deps.db.updateTable('employees').set({ activity_status: 'inactive' }).where('id', '=', id).execute();
  });

  test('of a company without HR notifies the administrators', async () => {
    const alone = await startApp();
    const root = await alone.make.admin();
    const second = await alone.make.admin();
    const place = await alone.make.department();
    const answer = await (
      await alone.as(root.user_id)
    ).post('/api/employees', {
      ...newPerson(),
      reporting_manager_id: null,
      entity_id: place.entity_id,
      department_id: place.id,
    });
    expect(answer.status).toBe(201);
    const { rows } = await alone.owner.query('select user_id::int from notifications');
    expect(rows).toEqual([{ user_id: second.user_id }]);
  });

  test('whose creation is refused notifies no one', async () => {
    const before = await countAll();
    expect((await client.post('/api/employees', { ...newPerson(), email: hr.email })).status).toBe(422);
    expect(await countAll()).toBe(before);
  });

  test('notifies once for one Idempotency-Key', async () => {
    const person = newPerson();
    const headers = { 'idempotency-key': 'told-once' };
    const first = await client.post('/api/employees', person, headers);
    await client.post('/api/employees', person, headers);
    expect(await notified('employee_created', first.body.data.id)).toHaveLength(3);
  });

  test('notifies again after a rehire', async () => {
    const { id } = await create();
    const separation = { type: 'resigned', last_working_date: '2026-01-31', reason };
    expect((await client.post(`/api/employees/${id}/separate`, separation)).status).toBe(200);
    expect((await client.post(`/api/employees/${id}/rehire`, { joining_date: '2026-06-01' })).status).toBe(200);
    expect(await notified('employee_created', id)).toHaveLength(6);
  });

  test('with a one-time password is notified of it', async () => {
    const { id, user } = await create({ issue_password: true });
    expect(await notified('employee_created', id)).toHaveLength(3);
    expect(accountsOf(await notified('password_reset_by_admin', user.id))).toEqual([user.id]);
  });
});

describe('a change of employment', () => {
  test('confirmed: notifies HR, the manager and, in the second person, the person', async () => {
    const { id, user } = await create({ joining_date: '2026-01-01', probation_end_date: '2026-12-31' });
    const answer = await client.post(`/api/employees/${id}/confirm`, { confirmation_date: '2026-11-01', reason });
    expect(answer.status).toBe(200);
    const rows = await notified('employee_confirmed', id);
    expect(accountsOf(rows)).toEqual(sorted(hr.user_id, localHr.user_id, manager.user_id, user.id));
    expect(rows.filter(({ variant }) => variant === 'own').map(({ user_id }) => user_id)).toEqual([user.id]);
    expect(rows[0]?.params).toEqual({ person: 'Lena Park', date: '2026-11-01' });
  });

  test('separated: notifies HR and the manager, not the person', async () => {
    const { id } = await create();
    const separation = { type: 'resigned', last_working_date: '2027-06-30', reason };
    expect((await client.post(`/api/employees/${id}/separate`, separation)).status).toBe(200);
    expect(accountsOf(await notified('employee_separated', id))).toEqual(
      sorted(hr.user_id, localHr.user_id, manager.user_id),
    );
  });

  test('refused: notifies no one', async () => {
    const before = await countAll();
    const answer = await client.post(`/api/employees/${bystander.id}/confirm`, {
      confirmation_date: '2026-11-01',
      reason,
    });
    expect([answer.status, await countAll()]).toEqual([422, before]);
  });

  test('a manager after the last working day is not notified, one who leaves later is', async () => {
    const gone = await make.employee({
      ...inAcme,
      roles: ['Manager'],
      employment_lifecycle: 'resigned',
      last_working_date: '2026-01-31',
    });
    const leaving = await make.employee({
      ...inAcme,
      roles: ['Manager'],
      employment_lifecycle: 'resigned',
      last_working_date: '2099-01-31',
    });
    const people = await Promise.all(
      [gone, leaving].map((boss) => make.employee({ ...inAcme, reporting_manager_id: boss.id })),
    );
    for (const { id } of people)
      await client.post(`/api/employees/${id}/separate`, {
        type: 'terminated',
        last_working_date: '2027-06-30',
        reason,
      });
    const [first, second] = await Promise.all(people.map(({ id }) => notified('employee_separated', id)));
    expect(accountsOf(first ?? [])).not.toContain(gone.user_id);
    expect(accountsOf(second ?? [])).toContain(leaving.user_id);
  });

  test('in one company does not notify HR of another company', async () => {
    const { rows } = await owner.query(
      "select count(*)::int as n from notifications where user_id = any($1) and event like 'employee%'",
      [[otherHr.user_id, bystander.user_id, admin.user_id]],
    );
    expect(rows[0].n).toBe(0);
  });
});

describe('a scheduled change of job', () => {
  const later = Temporal.Now.plainDateISO().add({ days: 40 }).toString();
  const due = () => applyDueJobChanges({ deps, now: Temporal.Now.instant().add({ hours: 24 * 42 }) });

  test('notifies the person and the new manager once when it takes effect', async () => {
    const person = await make.employee({ ...inAcme, reporting_manager_id: manager.id });
    const answer = await client.post(`/api/employees/${person.id}/job-history`, {
      effective_from: later,
      reporting_manager_id: bystander.id,
    });
    expect(answer.status).toBe(201);
    const { id } = answer.body.data;
    expect(await notified('job_change_applied', id)).toEqual([]);
    await due();
    await due();
    const rows = await notified('job_change_applied', id);
    expect(rows.map(({ user_id, variant }) => [user_id, variant])).toEqual(
      [
        [bystander.user_id, 'plain'],
        [person.user_id, 'own'],
      ].toSorted(([a], [b]) => Number(a) - Number(b)),
    );
    expect(rows[0]?.url).toBe(`/employees/${person.id}`);
  });

  test('that keeps the manager notifies the person only', async () => {
    const person = await make.employee({ ...inAcme, reporting_manager_id: manager.id });
    const answer = await client.post(`/api/employees/${person.id}/job-history`, {
      effective_from: later,
      job_title: 'Buyer',
    });
    await due();
    expect(accountsOf(await notified('job_change_applied', answer.body.data.id))).toEqual([person.user_id]);
  });
});

describe('roles', () => {
  test('that change notify the person each time; unchanged roles do not', async () => {
    const person = await make.employee(inAcme);
    const { rows } = await owner.query<{ id: number }>("select id::int from roles where name = 'TeamLead'");
    const set = (assignments: unknown[]) => client.put(`/api/employees/${person.id}/roles`, { assignments });
    const lead = [{ role_id: rows[0]?.id }];
    expect((await set(lead)).status).toBe(200);
    expect((await set(lead)).status).toBe(200);
    const first = await notified('role_changed', person.user_id);
    expect(first.map(({ user_id, params }) => [user_id, params])).toEqual([[person.user_id, { roles: 'TeamLead' }]]);
    expect((await set([])).status).toBe(200);
    expect((await notified('role_changed', person.user_id)).at(-1)?.params).toEqual({ roles: 'Employee' });
  });
});

describe('an import with a direct answer', () => {
  test('does not notify its sender or new people; changed roles and addresses notify their owners', async () => {
    const person = await make.employee(inAcme);
    const before = await countAll();
    const header = 'employee_number,email,first_name,last_name,entity_id,department_id,role';
    const content = [
      header,
      `${person.employee_number},moved@example.com,First,Last,${acme.id},${department.id},TeamLead`,
      `T-new,fresh@example.com,New,Person,${acme.id},${department.id},`,
    ].join('\n');
    const root = await as(admin.user_id);
    const answer = await root.upload(
      '/api/employees/import',
      { name: 'staff.csv', content },
      { on_conflict: 'update' },
    );
    expect(answer.body.data.counts).toMatchObject({ created: 1, updated: 1, failed: 0 });
    expect((await notified('role_changed', person.user_id))[0]?.params).toEqual({ roles: 'TeamLead' });
    expect(await notified('account_security_notice', person.user_id)).toMatchObject([
      { user_id: person.user_id, variant: 'email', params: { address: 'moved@example.com' } },
    ]);
    expect(await countAll()).toBe(before + 2);
  });
});
