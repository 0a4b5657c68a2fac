import { beforeEach, describe, expect, test } from 'vitest';
import { startApp } from '../../../testing/app.ts';
import { brokenInvariants } from '../../../invariants/invariants.ts';
import { startJoiners } from './joiners.ts';

const { as, make, deps, owner } = await startApp();
const acme = await make.entity({ timezone: 'Europe/Berlin', probation_months: 0 });
const job = { entity_id: acme.id, department_id: (await make.department({ entity_id: acme.id })).id };
const head = await make.employee({ ...job, roles: ['HR'] });
await make.admin();
const hr = await as(head.user_id);

const today = Temporal.Now.plainDateISO('Europe/Berlin');
const day = (offset: number) => today.add({ days: offset }).toString();
const at = (time: string) => ({ deps, now: Temporal.Instant.from(time) });
const reason = 'Agreed with the works council';
const phrase = 'Str0ng!Passw0rd';

let made = 0;
const add = async (fields: object) => {
  made += 1;
  const names = { first_name: 'Lena', last_name: `Joins${made}`, email: `joins${made}@example.com` };
  const answer = await hr.post('/api/employees', { ...names, ...job, ...fields });
  expect(answer.status).toBe(201);
  return answer.body;
};
const stored = async (id: number) =>
  (await owner.query('select activity_status, early_access from employees where id = $1', [id])).rows[0];
const statusOf = async (id: number) => (await stored(id)).activity_status as string;
const change = (id: number, fields: object) => hr.put(`/api/employees/${id}`, fields);

beforeEach(async () => {
  await owner.query('delete from login_attempts');
});
const signIn = async (email: string, password: string) => {
  const guest = await as();
  return { guest, answer: await guest.post('/login', { email, password }) };
};
const mayEnter = async (email: string) => (await signIn(email, phrase)).answer.status;

describe('signing in', () => {
  test('a person who joins later is refused with the correct password like with a wrong one', async () => {
    const { data, one_time_password } = await add({ joining_date: day(60), issue_password: true });
    const right = (await signIn(data.email, one_time_password)).answer;
    const wrong = (await signIn(data.email, 'Wr0ng!Passw0rd')).answer;
    expect([right.status, right.body]).toEqual([422, wrong.body]);
    expect(data.activity_status).toBe('joining');
  });

  test('early access opens the sign-in, and its end closes every session', async () => {
    const person = await make.employee({ ...job, joining_date: day(60), password: phrase });
    expect(await mayEnter(person.email)).toBe(422);
    expect((await change(person.id, { early_access: true })).body.data).toMatchObject({
      activity_status: 'joining',
      early_access: true,
    });
    const { guest, answer } = await signIn(person.email, phrase);
    expect([answer.status, (await guest.get('/api/me')).status]).toEqual([200, 200]);
    expect((await change(person.id, { early_access: false })).status).toBe(200);
    expect([(await guest.get('/api/me')).status, await mayEnter(person.email)]).toEqual([401, 422]);
  });

  test('a session ends when the first day is postponed', async () => {
    const person = await make.employee({ ...job, joining_date: day(-5), password: phrase });
    const { guest } = await signIn(person.email, phrase);
    await change(person.id, { joining_date: day(3) });
    expect([await statusOf(person.id), (await guest.get('/api/me')).status]).toEqual(['joining', 401]);
  });

  test('a one-time password issued in advance is valid from the first day on', async () => {
    const { data } = await add({ joining_date: day(20) });
    const issued = await hr.post(`/api/employees/${data.id}/reset-password`);
    const many = await hr.post('/api/employees/reset-passwords', { employee_ids: [data.id] });
    const first = Temporal.PlainDate.from(day(20)).toZonedDateTime('Europe/Berlin').toInstant();
    const end = first.add({ hours: 72 }).toString({ smallestUnit: 'millisecond' });
    expect([issued.status, issued.body.expires_at, many.body.data.issued[0]?.expires_at]).toEqual([200, end, end]);
    const password = many.body.data.issued[0].one_time_password as string;
    expect((await signIn(data.email, password)).answer.status).toBe(422);
    await change(data.id, { joining_date: day(0) });
    expect((await signIn(data.email, password)).answer.status).toBe(200);
  });

  test('HR of one company gives no early access to an account with more rights', async () => {
    const limited = await make.employee({ ...job, roles: [{ role: 'HR', entity_ids: [acme.id] }] });
    const wide = await make.employee({ ...job, roles: ['HR'], joining_date: day(60) });
    const client = await as(limited.user_id);
    expect((await client.put(`/api/employees/${wide.id}`, { early_access: true })).status).toBe(403);
    const plain = await make.employee({ ...job, joining_date: day(60) });
    expect((await client.put(`/api/employees/${plain.id}`, { early_access: true })).status).toBe(200);
    expect([await stored(wide.id), await stored(plain.id)]).toMatchObject([
      { early_access: false },
      { early_access: true },
    ]);
  });

  test('no user gives it to themselves, and the log records the actor', async () => {
    expect((await change(head.id, { early_access: true })).status).toBe(403);
    const person = await make.employee({ ...job, joining_date: day(60) });
    await change(person.id, { early_access: true });
    const { rows } = await owner.query(
      "select changes, actor_id::int from audit_log where action = 'employee.updated' and subject_id = $1",
      [person.id],
    );
    expect(rows).toEqual([{ changes: { early_access: { from: false, to: true } }, actor_id: head.user_id }]);
  });
});

describe('every way to a later joining date', () => {
  const csv = (number: string, date: string) =>
    `employee_number,first_name,last_name,email,joining_date\n${number},Ada,Byron,${number}@example.com,${date}\n`;
  const file = (number: string, date: string, on_conflict = 'fail') =>
    hr.upload(
      '/api/employees/import',
      { name: 'people.csv', content: csv(number, date) },
      { on_conflict, defaults: JSON.stringify(job) },
    );
  const numbered = async (number: string) =>
    (await owner.query('select id, activity_status from employees where employee_number = $1', [number])).rows[0];

  test('the form, also when it sends active', async () => {
    expect((await add({ joining_date: day(1) })).data.activity_status).toBe('joining');
    expect((await add({ joining_date: day(1), activity_status: 'active' })).data.activity_status).toBe('joining');
    expect((await add({ joining_date: day(0), activity_status: 'joining' })).data.activity_status).toBe('active');
  });

  test('imports that add and update', async () => {
    expect((await file('J-1', day(30))).status).toBe(201);
    expect((await numbered('J-1')).activity_status).toBe('joining');
    await file('J-1', day(0), 'update');
    expect((await numbered('J-1')).activity_status).toBe('active');
    await file('J-1', day(30), 'update');
    expect((await numbered('J-1')).activity_status).toBe('joining');
  });

  test('an update, with its history; back to today starts the work at once', async () => {
    const { id } = (await add({ joining_date: day(0) })).data;
    expect((await change(id, { joining_date: day(9) })).body.data.activity_status).toBe('joining');
    expect((await change(id, { joining_date: day(0) })).body.data.activity_status).toBe('active');
    const { rows } = await owner.query(
      "select changes from audit_log where action = 'employee.updated' and subject_id = $1 order by id",
      [id],
    );
    expect(rows.map(({ changes }) => changes.activity_status)).toEqual([
      { from: 'active', to: 'joining' },
      { from: 'joining', to: 'active' },
    ]);
  });

  test('a rehire', async () => {
    const left = { employment_lifecycle: 'resigned', activity_status: 'inactive', last_working_date: day(-50) };
    const { id } = await make.employee({ ...job, ...left, early_access: true });
    const answer = await hr.post(`/api/employees/${id}/rehire`, { joining_date: day(9) });
    expect([answer.status, await stored(id)]).toEqual([200, { activity_status: 'joining', early_access: false }]);
  });

  test('restoring a person who was deactivated before the first day', async () => {
    const { id } = (await add({ joining_date: day(9) })).data;
    const gone = await hr.post(`/api/employees/${id}/deactivate`, { reason });
    expect([gone.status, gone.body.data.activity_status]).toEqual([200, 'inactive']);
    const back = await hr.post(`/api/employees/${id}/reactivate`, { reason });
    expect([back.status, back.body.data.activity_status]).toEqual([200, 'joining']);
  });
});

describe('figures', () => {
  test('a later joiner is counted under joining only', async () => {
    const [entity, department] = [await make.entity({ probation_months: 0 }), {}];
    const dept = await make.department({ entity_id: entity.id, ...department });
    const there = { entity_id: entity.id, department_id: dept.id };
    for (const joining_date of [day(-10), day(10), day(20)]) await make.employee({ ...there, joining_date });
    const shown = await Promise.all([
      hr.get(`/api/entities/${entity.id}`),
      hr.get(`/api/departments/${dept.id}`),
      hr.get(`/api/employees?entity_id=${entity.id}&activity_status=active`),
      hr.get(`/api/employees?entity_id=${entity.id}&activity_status=joining`),
      hr.get(`/api/dashboard?entity_id=${entity.id}`),
    ]);
    const [company, unit, active, joining, dashboard] = shown.map(({ body }) => body);
    expect([company.data.employees_count, unit.data.employees_count]).toEqual([1, 1]);
    expect([active.meta.total, joining.meta.total]).toEqual([1, 2]);
    const { headcount, tenure } = dashboard.data;
    expect(headcount).toMatchObject({ total: 1, active: 1, joining: 2, inactive: 0, confirmed: 1 });
    expect(tenure.employment_types.full_time).toBe(1);
    expect(headcount.by_department).toEqual([{ id: dept.id, name: dept.name, count: 1 }]);
  });
});

test('no invariant is broken by these changes', async () => {
  expect(await brokenInvariants(deps.db)).toEqual([]);
});

describe('the first day', () => {
  // in winter, when the zones below have known offsets
  const next = new Date().getUTCFullYear() + 1;

  test('starts in the time zone of the company, missed days included', async () => {
    const zones = ['Pacific/Auckland', 'UTC', 'America/Los_Angeles'];
    const people = await Promise.all(
      zones.map(async (timezone) =>
        make.employee({ entity_id: (await make.entity({ timezone })).id, joining_date: `${next}-01-10` }),
      ),
    );
    const states = async (now: string) => {
      await startJoiners(at(now));
      return Promise.all(people.map(({ id }) => statusOf(id)));
    };
    expect(await states(`${next}-01-09T10:59:59Z`)).toEqual(['joining', 'joining', 'joining']);
    expect(await states(`${next}-01-09T11:00:00Z`)).toEqual(['active', 'joining', 'joining']);
    expect(await states(`${next}-01-10T07:59:59Z`)).toEqual(['active', 'active', 'joining']);
    const late = await Promise.all([1, 2, 3].map(() => startJoiners(at(`${next}-01-20T00:00:00Z`))));
    expect(late.reduce((sum, { started }) => sum + started, 0)).toBeGreaterThanOrEqual(1);
    expect(await statusOf(people[2]?.id as number)).toBe('active');
    const { rows } = await owner.query(
      "select changes, actor_name from audit_log where action = 'employee.joined' and subject_id = any($1)",
      [people.map(({ id }) => id)],
    );
    expect(rows).toHaveLength(3);
    expect(rows[0]).toEqual({
      changes: { activity_status: { from: 'joining', to: 'active' } },
      actor_name: 'System',
    });
  });

  test("starts for all joiners, also where another person has a joiner's display name by now", async () => {
    const joiner = async (fields: object) => make.employee({ ...job, joining_date: `${next}-05-03`, ...fields });
    const [plain, taken, free] = [
      await joiner({}),
      await joiner({ display_name: 'Ace' }),
      await joiner({ display_name: 'Joker' }),
    ];
    // of two joiners with the same display name, the first keeps it
    const second = await joiner({ display_name: 'JOKER' });
    await make.employee({ ...job, display_name: 'ace' });
    await startJoiners(at(`${next}-05-03T12:00:00Z`));
    const ids = [plain, taken, free, second].map(({ id }) => id);
    const { rows } = await owner.query(
      `select e.activity_status, e.display_name, l.changes from employees e
       join audit_log l on l.subject_id = e.id and l.action = 'employee.joined' where e.id = any($1) order by e.id`,
      [ids],
    );
    const began = { activity_status: { from: 'joining', to: 'active' } };
    expect(rows).toEqual([
      { activity_status: 'active', display_name: null, changes: began },
      { activity_status: 'active', display_name: null, changes: { ...began, display_name: { from: 'Ace', to: null } } },
      { activity_status: 'active', display_name: 'Joker', changes: began },
      {
        activity_status: 'active',
        display_name: null,
        changes: { ...began, display_name: { from: 'JOKER', to: null } },
      },
    ]);
  });

  test('does not start for a person whose employment ended before', async () => {
    const { id } = (await add({ joining_date: day(30) })).data;
    const ended = await hr.post(`/api/employees/${id}/separate`, {
      reason,
      type: 'resigned',
      last_working_date: day(-1),
    });
    expect([ended.status, ended.body.data.activity_status]).toEqual([200, 'inactive']);
    await startJoiners(at(`${day(40)}T00:00:00Z`));
    expect(await statusOf(id)).toBe('inactive');
    // counted neither as a joiner nor as a leaver
    await owner.query('update employees set joining_date = $1 where id = $2', [day(0), id]);
    const { body } = await hr.get(`/api/employees?id=${id}&left_from=${day(-40)}&left_to=${day(0)}`);
    const joined = await hr.get(`/api/employees?id=${id}&joined_from=${day(-40)}&joined_to=${day(0)}`);
    expect([body.meta.total, joined.body.meta.total]).toEqual([0, 0]);
  });
});

test('a later joiner can be named as manager and head, and has no access before the first day', async () => {
  const boss = (await add({ joining_date: day(30) })).data;
  const person = await make.employee(job);
  expect((await change(person.id, { reporting_manager_id: boss.id })).status).toBe(200);
  const headed = await hr.put(`/api/departments/${job.department_id}`, { manager_id: boss.id });
  expect(headed.status).toBe(200);
  const taken = await hr.post(`/api/employees/${person.id}/deactivate`, { reason, reassign_to: boss.id });
  expect([taken.status, Object.keys(taken.body.errors)]).toEqual([422, ['reassign_to']]);
  // future reports are a duty too
  const team = await make.employee(job);
  await change((await add({ joining_date: day(9) })).data.id, { reporting_manager_id: team.id });
  const alone = await hr.post(`/api/employees/${team.id}/deactivate`, { reason });
  expect(alone.status).toBe(422);
});
