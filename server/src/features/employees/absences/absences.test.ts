import { afterAll, describe, expect, test } from 'vitest';
import { startApp } from '../../../testing/app.ts';
import { databaseWithClock } from '../../../testing/clock.ts';

/** Long absences: the person stays active, the absence begins and ends by its days, and its reason is private. */

const clock = await databaseWithClock();
afterAll(() => clock.end());
const { as, make, owner, withRole } = await startApp({}, { database: clock.database }).then((app) => ({
  ...app,
  /** A person with a role of their own. */
  withRole: async (scope: string, permissions: string[], fields: object = {}) => {
    const person = await app.make.employee({ ...fields, roles: [] });
    const { rows } = await app.owner.query<{ id: number }>(
      `insert into roles (name, description, scope) values ($1, '', $2) returning id`,
      [`Role ${person.id}`, scope],
    );
    await app.owner.query('insert into role_permissions select $1, unnest($2::text[])', [rows[0]?.id, permissions]);
    await app.owner.query('insert into role_assignments (user_id, role_id) values ($1, $2)', [
      person.user_id,
      rows[0]?.id,
    ]);
    return person;
  },
}));
const entity = await make.entity();
const inCompany = { role: 'HR', entity_ids: [entity.id] };
const hrPerson = await make.employee({ entity_id: entity.id, roles: [inCompany] });
let hr = await as(hrPerson.user_id);
/** Moves the clock to a day; sessions of earlier days have expired. */
const goTo = async (days: number) => {
  await clock.goTo(days);
  hr = await as(hrPerson.user_id);
};
const manager = await make.employee({ entity_id: entity.id, roles: ['Manager'] });

const start = Temporal.Now.plainDateISO('UTC');
const day = (days: number) => start.add({ days }).toString();
const someone = (fields: object = {}) =>
  make.employee({ entity_id: entity.id, reporting_manager_id: manager.id, joining_date: '2020-01-01', ...fields });
const at = (id: number, rest = '') => `/api/employees/${id}/absences${rest}`;
const absence = (from: number, to: number | null, more: object = {}) => ({
  first_day: day(from),
  last_day: to === null ? null : day(to),
  ...more,
});
const everything = async (id: number) => {
  const { rows } = await owner.query(
    `select (select json_agg(a order by a.id) from absences a where employee_id = $1) as absences,
            (select count(*)::int from audit_log) as traces, (select count(*)::int from notifications) as notices`,
    [id],
  );
  return rows[0] as unknown;
};
const noticesOf = async (userId: number) =>
  (
    await owner.query(
      `select event, variant, params::text from notifications where user_id = $1 and event like 'absence%' order by id`,
      [userId],
    )
  ).rows;

test('HR records an absence; the person stays active and is shown as absent on its days', async () => {
  const person = await someone();
  const answer = await hr.post(at(person.id), absence(1, 10));
  expect([answer.status, answer.body.message]).toEqual([201, 'Absence recorded.']);
  expect(answer.body.data).toMatchObject({
    employee_id: person.id,
    first_day: day(1),
    last_day: day(10),
    state: 'planned',
    allowed_actions: ['update', 'delete'],
  });
  const read = async () => (await hr.get(`/api/employees/${person.id}`)).body.data;
  const listed = async (query: string) =>
    (await hr.get(`/api/employees?id=${person.id}&${query}`)).body.data.map(({ id }: { id: number }) => id);
  expect((await read()).absence).toBeNull();
  expect(await listed('absent=1')).toEqual([]);
  expect(await listed('absent=0')).toEqual([person.id]);
  for (const days of [1, 10]) {
    // oxlint-disable-next-line no-await-in-loop -- the days come one after the other
    await goTo(days);
    const record = await read();
    expect(record).toMatchObject({ activity_status: 'active', absence: { first_day: day(1), last_day: day(10) } });
    expect(await listed('absent=1&activity_status=active')).toEqual([person.id]);
    expect(await listed('absent=0')).toEqual([]);
    expect((await (await as(person.user_id)).get('/api/me')).status).toBe(200);
  }
  const [row] = (await hr.get(at(person.id))).body.data;
  expect(row).toMatchObject({ state: 'current', allowed_actions: ['update', 'end', 'delete'] });
  await goTo(11);
  expect((await read()).absence).toBeNull();
  expect((await hr.get(at(person.id, '?state=past'))).body.meta.total).toBe(1);
  expect((await hr.get(at(person.id, '?state=current,planned'))).body.meta.total).toBe(0);
  await goTo(0);
});

test('the day in the company decides', async () => {
  const ahead = await make.entity({ timezone: 'Pacific/Kiritimati' });
  const person = await make.employee({ entity_id: ahead.id });
  const all = await as((await make.employee({ roles: ['HR'] })).user_id);
  expect((await all.post(at(person.id), absence(1, 1))).body.data.state).toBe('current');
  // pages propose the same day
  expect((await all.get(`/api/employees/${person.id}`)).body.data).toMatchObject({
    absence: { first_day: day(1), last_day: day(1) },
    today: day(1),
  });
  expect((await all.get(`/api/employees?absent=1&id=${person.id}`)).body.meta.total).toBe(1);
});

test('an open absence ends with the first day back, and a past one can be entered', async () => {
  const person = await someone();
  const { id } = (await hr.post(at(person.id), absence(-30, null))).body.data;
  expect((await hr.get(`/api/employees/${person.id}`)).body.data.absence).toEqual({
    first_day: day(-30),
    last_day: null,
  });
  const ended = await hr.post(at(person.id, `/${id}/end`), { back_on: day(-2) });
  expect([ended.status, ended.body.message]).toEqual([200, 'Absence ended.']);
  expect(ended.body.data).toMatchObject({ last_day: day(-3), state: 'past' });
  const past = await hr.post(at(person.id), absence(-60, -50));
  expect([past.status, past.body.data.state]).toEqual([201, 'past']);
  // an absence that was ended by mistake continues
  const again = await hr.put(at(person.id, `/${id}`), { last_day: null, revision: ended.body.data.revision });
  expect([again.status, again.body.data.state, again.body.data.last_day]).toEqual([200, 'current', null]);
});

test('a planned absence is changed and deleted; the log and the notifications follow', async () => {
  const person = await someone();
  const { id, revision } = (await hr.post(at(person.id), absence(5, 9))).body.data;
  await hr.put(at(person.id, `/${id}`), { last_day: day(12), revision });
  expect((await hr.delete(at(person.id, `/${id}`))).status).toBe(204);
  expect((await hr.get(at(person.id))).body.meta.total).toBe(0);
  const { rows } = await owner.query(
    `select action, changes from audit_log where subject_type = 'employee' and subject_id = $1 order by id`,
    [person.id],
  );
  expect(rows).toEqual([
    {
      action: 'employee.absence_recorded',
      changes: { first_day: { from: null, to: day(5) }, last_day: { from: null, to: day(9) } },
    },
    { action: 'employee.absence_changed', changes: { last_day: { from: day(9), to: day(12) } } },
    {
      action: 'employee.absence_deleted',
      changes: { first_day: { from: day(5), to: null }, last_day: { from: day(12), to: null } },
    },
  ]);
  const events = (await noticesOf(person.user_id)).map(({ event, variant }) => `${event} ${variant}`);
  expect(events).toEqual(['absence_recorded own', 'absence_recorded own', 'absence_ended own_cancelled']);
  const notified = (await noticesOf(manager.user_id)).slice(-3).map(({ event, variant }) => `${event} ${variant}`);
  expect(notified).toEqual(['absence_recorded plain', 'absence_recorded plain', 'absence_ended cancelled']);
});

test('the reason is read on request by those who may see private details, and stands nowhere else', async () => {
  const person = await someone();
  const secret = 'Zqillness';
  const answer = await hr.post(at(person.id), absence(0, 20, { absence_reason: secret }));
  expect(answer.body.data.absence_reason).toBe(secret);
  const { id } = answer.body.data;
  expect((await hr.put(at(person.id, `/${id}`), { last_day: day(21) })).bytes.toString()).not.toContain(secret);
  expect((await hr.get(at(person.id))).bytes.toString()).not.toContain(secret);
  const look = await hr.get(at(person.id, '?reveal=private'));
  expect(look.body.data[0].absence_reason).toBe(secret);
  expect((await hr.get(at(person.id, `?search=${secret}`))).body.meta.total).toBe(0);
  expect((await hr.get(at(person.id, `?search=${secret}&reveal=private`))).body.meta.total).toBe(1);
  const own = await as(person.user_id);
  expect((await own.get(at(person.id, '?reveal=private'))).body.data[0].absence_reason).toBe(secret);
  const boss = await as(manager.user_id);
  expect((await boss.get(at(person.id))).body.data[0]).toMatchObject({ first_day: day(0), allowed_actions: [] });
  expect((await boss.get(at(person.id, '?reveal=private'))).status).toBe(403);
  const { rows } = await owner.query(
    `select count(*)::int as looks from audit_log where subject_id = $1 and action = 'employee.private_viewed'`,
    [person.id],
  );
  expect(rows).toEqual([{ looks: 1 }]);
  const { rows: copies } = await owner.query(
    `select count(*)::int as copies from (
       select changes::text || coalesce(reason, '') as text from audit_log union all select params::text from notifications) as c
     where text ilike '%zqillness%'`,
  );
  expect(copies).toEqual([{ copies: 0 }]);
});

describe('refused with nothing written is', () => {
  test('a last day before the first, days that overlap, and days beyond every plan', async () => {
    const person = await someone({ joining_date: day(-100) });
    await hr.post(at(person.id), absence(10, 20));
    await hr.post(at(person.id), absence(30, null));
    const before = await everything(person.id);
    const refused = async (body: object, field: string) => {
      const { status, body: said } = await hr.post(at(person.id), body);
      expect([status, Object.keys(said.errors)]).toEqual([422, [field]]);
      return said.errors[field][0] as string;
    };
    await refused(absence(5, 4), 'last_day');
    for (const [from, to] of [
      [20, 25],
      [5, 10],
      [12, 13],
      [5, 29],
      [5, null],
      [31, 40],
      [400, null],
    ] as const)
      // oxlint-disable-next-line no-await-in-loop -- each leaves everything as it was
      expect(await refused(absence(from, to), 'first_day')).toMatch(/^These days overlap with the absence from /);
    await refused(absence(-101, -90), 'first_day');
    const leaver = await someone({ employment_lifecycle: 'resigned', last_working_date: day(8) });
    const late = await hr.post(at(leaver.id), absence(9, 12));
    expect([late.status, late.body.errors]).toEqual([
      422,
      { first_day: [`The first day field must be a date before or equal to ${day(8)}.`] },
    ]);
    await refused({ first_day: start.add({ years: 2, days: 1 }).toString() }, 'first_day');
    await refused({ first_day: day(-50), last_day: start.add({ years: 5 }).toString() }, 'last_day');
    await refused({ first_day: '2026-02-30' }, 'first_day');
    await refused({}, 'first_day');
    expect(await everything(person.id)).toEqual(before);
    expect((await hr.post(at(person.id), absence(21, 29))).status).toBe(201);
  });

  test('an end before it has begun, after it is over, not after its first day, or after its last', async () => {
    const person = await someone();
    const made = async (from: number, to: number | null) =>
      (await hr.post(at(person.id), absence(from, to))).body.data.id as number;
    const [past, current, planned] = [await made(-20, -10), await made(-5, 5), await made(10, null)];
    const before = await everything(person.id);
    const end = async (id: number, days: number) =>
      (await hr.post(at(person.id, `/${id}/end`), { back_on: day(days) })).body.errors;
    expect(await end(planned, 12)).toEqual({
      status: ['This absence hasn’t begun. Change its days or delete it.'],
    });
    expect(await end(past, -12)).toEqual({ status: ['This absence is already over.'] });
    expect(Object.keys(await end(current, -5))).toEqual(['back_on']);
    expect(Object.keys(await end(current, 6))).toEqual(['back_on']);
    expect(await everything(person.id)).toEqual(before);
    expect((await hr.post(at(person.id, `/${current}/end`), { back_on: day(-4) })).body.data.last_day).toBe(day(-5));
  });

  test('what an old page sends, the absence of another, and a person who has left', async () => {
    const [person, other] = [await someone(), await someone()];
    const { id } = (await hr.post(at(person.id), absence(1, 2))).body.data;
    const stale = await hr.put(at(person.id, `/${id}`), { last_day: day(3), revision: 9 });
    expect([stale.status, stale.body.status]).toEqual([422, 'planned']);
    expect((await hr.put(at(other.id, `/${id}`), { last_day: day(3) })).status).toBe(404);
    expect((await hr.delete(at(other.id, `/${id}`))).status).toBe(404);
    expect((await hr.post(at(other.id, `/${id}/end`), { back_on: day(2) })).status).toBe(404);
    const gone = await someone({
      employment_lifecycle: 'resigned',
      last_working_date: day(-1),
      activity_status: 'inactive',
    });
    expect((await hr.post(at(gone.id), absence(-9, -5))).body.errors).toEqual({ status: ['This person has left.'] });
  });

  test('the person, managers without the permission, other companies, readers of cards, and an administrator’s absence', async () => {
    const person = await someone({ roles: [inCompany] });
    expect((await (await as(person.user_id)).post(at(person.id), absence(1, 2))).status).toBe(403);
    expect((await (await as(manager.user_id)).post(at(person.id), absence(1, 2))).status).toBe(403);
    const elsewhere = await make.entity();
    const stranger = await as(
      (await make.employee({ entity_id: elsewhere.id, roles: [{ role: 'HR', entity_ids: [elsewhere.id] }] })).user_id,
    );
    expect((await stranger.post(at(person.id), absence(1, 2))).status).toBe(404);
    expect((await stranger.get(at(person.id))).status).toBe(404);
    const directory = await as((await withRole('own', ['employees.view', 'employees.view_all'])).user_id);
    await hr.post(at(person.id), absence(0, 2));
    expect((await directory.get(`/api/employees/${person.id}`)).body.data.absence).toBeUndefined();
    expect((await directory.get(`/api/employees?absent=1&id=${person.id}`)).body.meta.total).toBe(0);
    expect((await directory.get(at(person.id))).status).toBe(403);
    const admin = await make.employee({ entity_id: entity.id, roles: ['Admin'] });
    expect((await hr.post(at(admin.id), absence(1, 2))).status).toBe(403);
  });

  test('a reason from a user who could not read it', async () => {
    const boss = await withRole('managed', ['employees.view', 'employees.update'], { entity_id: entity.id });
    const person = await someone({ reporting_manager_id: boss.id });
    const client = await as(boss.user_id);
    expect((await client.post(at(person.id), absence(1, 2, { absence_reason: 'Ill' }))).status).toBe(403);
    const answer = await client.post(at(person.id), absence(1, 2));
    expect([answer.status, 'absence_reason' in answer.body.data]).toEqual([201, false]);
    expect((await client.put(at(person.id, `/${answer.body.data.id}`), { absence_reason: null })).status).toBe(403);
  });
});

test('of two absences at the same moment, the second is refused', async () => {
  for (let round = 0; round < 3; round += 1) {
    // oxlint-disable-next-line no-await-in-loop -- each round is a race of its own
    const person = await someone();
    // oxlint-disable-next-line no-await-in-loop -- each round is a race of its own
    const answers = await Promise.all([1, 2, 3].map((last) => hr.post(at(person.id), absence(0, last))));
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 422, 422]);
  }
});
