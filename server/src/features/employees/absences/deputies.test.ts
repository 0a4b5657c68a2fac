import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { startApp } from '../../../testing/app.ts';
import { databaseWithClock } from '../../../testing/clock.ts';
import { dayFromNow as day, kpiMaker } from '../../../testing/make-kpi.ts';
import { probationMaker } from '../../../testing/make-probation.ts';
import type { MadeEmployee } from '../../../testing/make.ts';

/** During an absence, the deputy does the named tasks of the absent reviewer, and nothing else. */

const clock = await databaseWithClock();
afterAll(() => clock.end());
afterEach(() => clock.goTo(0));
const app = await startApp({}, { database: clock.database });
const { as, make, owner } = app;
const kpi = kpiMaker(app);
const probation = probationMaker(app);

const entity = await make.entity();
const staff = (fields: object = {}) => make.employee({ entity_id: entity.id, ...fields });
const hrPerson = await staff({ roles: [{ role: 'HR', entity_ids: [entity.id] }] });
const hr = () => as(hrPerson.user_id);
const reviewerFields = { roles: ['Manager'] as const };

const both = ['kpi_reviews', 'probation_reviews'];
type Named = { deputy: MadeEmployee; tasks?: string[]; from?: number; to?: number | null };
const body = ({ deputy, tasks = both, from = 0, to = 20 }: Named) => ({
  first_day: day(from),
  last_day: to === null ? null : day(to),
  deputy_id: deputy.id,
  deputy_tasks: tasks,
});
const name = async (reviewer: MadeEmployee, named: Named) => {
  const answer = await (await hr()).post(`/api/employees/${reviewer.id}/absences`, body(named));
  expect([answer.status, answer.body.message]).toEqual([201, 'Absence recorded.']);
  return answer.body.data as { id: number; deputy: { id: number }; deputy_tasks: string[]; revision: number };
};

type Item = { kind: string; subject: { id: number }; acting_for: { id: number } | null };
const tasksOf = async ({ user_id }: MadeEmployee) =>
  ((await (await as(user_id)).get('/api/actionable-items?per_page=100')).body.data as Item[]).map(
    ({ kind, subject, acting_for }) => [kind, subject.id, acting_for?.id ?? null],
  );
const inReview = async (reviewer: MadeEmployee, employee?: MadeEmployee) => {
  const { id: cycle_id } = await kpi.cycle({ status: 'published' });
  return kpi.evaluation({ employee: employee ?? (await staff()), reviewer, cycle_id, status: 'manager_review' });
};
const answersOf = (made: Awaited<ReturnType<typeof inReview>>) => ({
  items: made.items.map(({ id }) => ({ id, manager_score: 4, manager_comment: 'As agreed.' })),
  manager_comment: 'Good.',
});
const urlOf = ({ id }: { id: number }) => `/api/kpi-evaluations/${id}`;

test('tasks are the deputy’s for the days of the absence and come back by themselves', async () => {
  const [reviewer, deputy] = [await staff(reviewerFields), await staff(reviewerFields)];
  const made = await inReview(reviewer);
  const named = await name(reviewer, { deputy, from: 1, to: 5 });
  expect(named).toMatchObject({ deputy: { id: deputy.id }, deputy_tasks: both });
  const expected = ['kpi_manager_review', made.id];
  expect([await tasksOf(reviewer), await tasksOf(deputy)]).toEqual([[[...expected, null]], []]);
  expect((await (await as(deputy.user_id)).get(urlOf(made))).status).toBe(404);
  for (const days of [1, 5]) {
    await clock.goTo(days);
    expect([await tasksOf(reviewer), await tasksOf(deputy)]).toEqual([[], [[...expected, reviewer.id]]]);
    const client = await as(deputy.user_id);
    expect((await client.get(`/api/actionable-items/kpi_manager_review:${made.id}`)).status).toBe(200);
    expect((await client.get(urlOf(made))).body.data.allowed_actions).toEqual(
      expect.arrayContaining(['update', 'manager-review', 'return']),
    );
  }
  await clock.goTo(6);
  expect([await tasksOf(reviewer), await tasksOf(deputy)]).toEqual([[[...expected, null]], []]);
  const late = await as(deputy.user_id);
  expect((await late.get(urlOf(made))).status).toBe(404);
  expect((await late.put(urlOf(made), { manager_comment: 'Late.' })).status).toBe(404);
  expect((await late.post(`${urlOf(made)}/manager-review`, answersOf(made))).status).toBe(404);
});

test('what a deputy does keeps both names', async () => {
  const [reviewer, deputy] = [await staff(reviewerFields), await staff(reviewerFields)];
  const made = await inReview(reviewer);
  await name(reviewer, { deputy });
  const client = await as(deputy.user_id);
  expect((await client.put(urlOf(made), { manager_comment: 'A draft.' })).status).toBe(200);
  const sent = await client.post(`${urlOf(made)}/manager-review`, answersOf(made));
  expect([sent.status, sent.body.data?.status]).toEqual([200, 'hr_review']);
  const activity = (await (await hr()).get(`${urlOf(made)}/activity`)).body.data;
  const { rows } = await owner.query(
    `select (select name from employees where id = $1) as reviewer, (select name from employees where id = $2) as deputy`,
    [reviewer.id, deputy.id],
  );
  expect(activity[0]).toMatchObject({
    action: 'manager-review',
    actor: { user_id: deputy.user_id, name: rows[0].deputy },
    acting_for: rows[0].reviewer,
  });
  const log = await owner.query(
    `select changes -> 'acting_for' as acting_for from audit_log
     where action = 'kpi_evaluation.manager-review' and subject_id = $1`,
    [made.id],
  );
  expect(log.rows).toEqual([{ acting_for: { from: null, to: rows[0].reviewer } }]);
  // visible until the absence ends
  expect((await client.get(urlOf(made))).status).toBe(200);
  await clock.goTo(21);
  expect((await (await as(deputy.user_id)).get(urlOf(made))).status).toBe(404);
});

test('a deputy signs, submits and recalls a probation review, and does not decide on it', async () => {
  const reviewer = await staff(reviewerFields);
  const deputy = await staff({ roles: ['Manager', { role: 'HR', entity_ids: [entity.id] }] });
  const employee = await probation.person({ entity_id: entity.id });
  const review = await probation.review({ employee, reviewer, status: 'pending' });
  await name(reviewer, { deputy, tasks: ['probation_reviews'] });
  expect(await tasksOf(reviewer)).toEqual([]);
  expect(await tasksOf(deputy)).toContainEqual(['probation_review_assigned', review.id, reviewer.id]);
  const client = await as(deputy.user_id);
  const url = `/api/probation-reviews/${review.id}`;
  const signature = { method: 'typed', typed_name: 'Dana Deputy' };
  const form = { performance_rating: 4, comments: 'Good.', recommendation: 'confirm' };
  const sent = await client.post(`${url}/submit`, { ...form, signature });
  expect([sent.status, sent.body.data?.status]).toEqual([200, 'submitted']);
  expect(sent.body.data.allowed_actions).not.toContain('approve');
  expect((await client.post(`${url}/recall`, {})).body.data?.status).toBe('pending');
});

test('only tasks of the named kinds', async () => {
  const [reviewer, deputy] = [await staff(reviewerFields), await staff(reviewerFields)];
  const made = await inReview(reviewer);
  await name(reviewer, { deputy, tasks: ['probation_reviews'] });
  expect([(await tasksOf(reviewer)).length, await tasksOf(deputy)]).toEqual([1, []]);
  expect((await (await as(deputy.user_id)).get(urlOf(made))).status).toBe(404);
});

describe('a deputy has no right over', () => {
  test('their own record or a superior: these tasks stay with the absent reviewer', async () => {
    const superior = await staff(reviewerFields);
    const deputy = await staff({ ...reviewerFields, reporting_manager_id: superior.id });
    const reviewer = await staff(reviewerFields);
    const [own, above, other] = [
      await inReview(reviewer, deputy),
      await inReview(reviewer, superior),
      await inReview(reviewer),
    ];
    await name(reviewer, { deputy });
    expect(await tasksOf(deputy)).toEqual([['kpi_manager_review', other.id, reviewer.id]]);
    expect(new Set((await tasksOf(reviewer)).map(([, id]) => id))).toEqual(new Set([own.id, above.id]));
    const client = await as(deputy.user_id);
    expect((await client.get(urlOf(above))).status).toBe(404);
    expect((await client.post(`${urlOf(above)}/manager-review`, answersOf(above))).status).toBe(404);
    expect((await client.get(urlOf(own))).body.data.allowed_actions).toEqual([]);
    expect((await client.post(`${urlOf(own)}/manager-review`, answersOf(own))).status).toBe(403);
  });

  test('the record of the user who named them, also if it begins later', async () => {
    const chooser = await probation.person({ entity_id: entity.id, roles: ['HR'] });
    const [reviewer, deputy] = [await staff(reviewerFields), await staff(reviewerFields)];
    const [own, other] = [await inReview(reviewer, chooser), await inReview(reviewer)];
    const at = `/api/employees/${reviewer.id}/absences`;
    const named = await (await as(chooser.user_id)).post(at, body({ deputy }));
    expect(named.status).toBe(201);
    const later = await probation.review({ employee: chooser, reviewer });
    expect(await tasksOf(deputy)).toEqual([['kpi_manager_review', other.id, reviewer.id]]);
    expect((await (await as(deputy.user_id)).get(urlOf(own))).status).toBe(404);
    expect((await (await as(deputy.user_id)).get(`/api/probation-reviews/${later.id}`)).status).toBe(404);
    // another user names them for the same days
    await (await hr()).put(`${at}/${named.body.data.id}`, { last_day: day(21) });
    expect((await tasksOf(deputy)).map(([, id]) => id)).toEqual(expect.arrayContaining([own.id, other.id, later.id]));
  });

  test('a second absence: there is no deputy of a deputy', async () => {
    const [first, second, third] = [
      await staff(reviewerFields),
      await staff(reviewerFields),
      await staff(reviewerFields),
    ];
    const made = await inReview(first);
    await name(first, { deputy: second });
    await name(second, { deputy: third });
    expect([await tasksOf(first), await tasksOf(second), await tasksOf(third)]).toEqual([
      [['kpi_manager_review', made.id, null]],
      [],
      [],
    ]);
    expect((await (await as(third.user_id)).get(urlOf(made))).status).toBe(404);
  });

  test('anything once they are suspended, lose the permission, or the companies of the naming user do not reach', async () => {
    const elsewhere = await make.entity();
    const [reviewer, deputy] = [await staff(reviewerFields), await staff(reviewerFields)];
    const made = await inReview(reviewer);
    const foreign = await inReview(reviewer, await make.employee({ entity_id: elsewhere.id }));
    await name(reviewer, { deputy });
    expect((await tasksOf(deputy)).map(([, id]) => id)).toEqual([made.id]);
    expect((await tasksOf(reviewer)).map(([, id]) => id)).toEqual([foreign.id]);
    expect((await (await as(deputy.user_id)).get(urlOf(foreign))).status).toBe(404);
    await owner.query(
      `update role_assignments set role_id = (select id from roles where name = 'Employee') where user_id = $1`,
      [deputy.user_id],
    );
    expect([(await tasksOf(deputy)).length, (await tasksOf(reviewer)).length]).toEqual([0, 2]);
    expect((await (await as(deputy.user_id)).get(urlOf(made))).status).toBe(404);
  });
});

describe('HR has a task to choose another deputy', () => {
  const deputyTasks = async (who: MadeEmployee, reviewer: MadeEmployee) =>
    (
      await (await as(who.user_id)).get('/api/actionable-items?kind=absence_missing_deputy&per_page=100')
    ).body.data.filter(({ subject }: Item) => subject.id === reviewer.id);

  test.each(['leaves', 'is suspended', 'may not review any more', 'has no account any more'])(
    'when the deputy of an absent reviewer %s',
    async (how) => {
      const [reviewer, deputy] = [await staff(reviewerFields), await staff(reviewerFields)];
      const made = await inReview(reviewer);
      const named = await name(reviewer, { deputy });
      expect(await deputyTasks(hrPerson, reviewer)).toEqual([]);
      const client = await hr();
      const at = `/api/employees/${deputy.id}`;
      const leave = { type: 'resigned', last_working_date: day(-1), reason: 'Another job' };
      if (how === 'leaves') expect((await client.post(`${at}/separate`, leave)).status).toBe(200);
      else if (how === 'is suspended')
        expect((await client.post(`${at}/deactivate`, { reason: 'On unpaid leave' })).status).toBe(200);
      else if (how === 'may not review any more')
        await owner.query('delete from role_assignments where user_id = $1', [deputy.user_id]);
      else await owner.query('update users set is_enabled = false where id = $1', [deputy.user_id]);
      expect(await tasksOf(reviewer)).toEqual([['kpi_manager_review', made.id, null]]);
      expect(await deputyTasks(hrPerson, reviewer)).toMatchObject([
        {
          title: expect.stringMatching(/^Choose another deputy for /),
          due_date: day(0),
          url: `/employees/${reviewer.id}?tab=job`,
          allowed_actions: ['absences'],
        },
      ]);
      // HR of another company and the absent person have no such task
      const other = await make.entity();
      const elsewhere = await make.employee({ entity_id: other.id, roles: [{ role: 'HR', entity_ids: [other.id] }] });
      expect([await deputyTasks(elsewhere, reviewer), await deputyTasks(reviewer, reviewer)]).toEqual([[], []]);
      // the mark does not count as a change of the absence
      const change = { deputy_id: (await staff(reviewerFields)).id, revision: named.revision };
      expect((await client.put(`/api/employees/${reviewer.id}/absences/${named.id}`, change)).status).toBe(200);
      expect(await deputyTasks(hrPerson, reviewer)).toEqual([]);
    },
  );

  test('also for a planned absence, by its first day, and once only, but not for one that is over', async () => {
    const [reviewer, former, deputy] = [
      await staff(reviewerFields),
      await staff(reviewerFields),
      await staff(reviewerFields),
    ];
    await name(reviewer, { deputy, from: -20, to: -10 });
    await owner.query('update users set is_enabled = false where id = $1', [deputy.user_id]);
    expect(await deputyTasks(hrPerson, reviewer)).toEqual([]);
    await name(reviewer, { deputy: former, from: 10, to: 20 });
    await name(reviewer, { deputy: former, from: 30, to: 40 });
    await owner.query('update users set is_enabled = false where id = $1', [former.user_id]);
    expect(await deputyTasks(hrPerson, reviewer)).toMatchObject([{ due_date: day(10) }]);
  });
});

test('a deputy who left does not stand in again after a rehire, until HR names them anew', async () => {
  const [reviewer, deputy] = [await staff(reviewerFields), await staff(reviewerFields)];
  const made = await inReview(reviewer);
  const named = await name(reviewer, { deputy });
  const client = await hr();
  const at = `/api/employees/${deputy.id}`;
  const leave = { type: 'resigned', last_working_date: day(-1), reason: 'Another job' };
  expect((await client.post(`${at}/separate`, leave)).status).toBe(200);
  expect((await client.post(`${at}/rehire`, { joining_date: day(0) })).status).toBe(200);
  await owner.query(`insert into role_assignments (user_id, role_id) select $1, id from roles where name = 'Manager'`, [
    deputy.user_id,
  ]);
  expect([await tasksOf(reviewer), await tasksOf(deputy)]).toEqual([[['kpi_manager_review', made.id, null]], []]);
  const absences = (await client.get(`/api/employees/${reviewer.id}/absences`)).body.data;
  expect(absences).toMatchObject([{ id: named.id, deputy: null, deputy_tasks: [] }]);
  const { rows } = await owner.query(
    `select changes from audit_log where action = 'employee.absence_changed' and subject_id = $1`,
    [reviewer.id],
  );
  expect(rows).toEqual([
    { changes: { deputy_id: { from: deputy.id, to: null }, deputy_tasks: { from: both.join(', '), to: null } } },
  ]);
  await name(await staff(reviewerFields), { deputy });
});

describe('refused with nothing written is', () => {
  const refused = async (reviewer: MadeEmployee, sent: object) => {
    const before = (await owner.query('select count(*)::int as rows from absences')).rows;
    const answer = await (await hr()).post(`/api/employees/${reviewer.id}/absences`, sent);
    expect((await owner.query('select count(*)::int as rows from absences')).rows).toEqual(before);
    return [answer.status, answer.body.errors];
  };

  test('a deputy who is the person, absent, suspended, unable to review, or without tasks', async () => {
    const [reviewer, deputy] = [await staff(reviewerFields), await staff(reviewerFields)];
    expect(await refused(reviewer, body({ deputy: reviewer }))).toEqual([
      422,
      { deputy_id: ['A person can’t be their own deputy.'] },
    ]);
    expect(await refused(reviewer, body({ deputy: await staff() }))).toEqual([
      422,
      { deputy_id: ['None of this person’s roles permits these tasks.'] },
    ]);
    const suspended = await staff({ ...reviewerFields, activity_status: 'inactive' });
    expect((await refused(reviewer, body({ deputy: suspended })))[0]).toBe(422);
    expect(await refused(reviewer, body({ deputy, tasks: [] }))).toMatchObject([
      422,
      { deputy_tasks: [expect.any(String)] },
    ]);
    await (await hr()).post(`/api/employees/${deputy.id}/absences`, { first_day: day(20), last_day: day(25) });
    expect(await refused(reviewer, body({ deputy }))).toMatchObject([
      422,
      { deputy_id: [expect.stringMatching(/^The deputy is absent from .+, within these days\.$/)] },
    ]);
    expect((await name(reviewer, { deputy, to: 19 })).deputy.id).toBe(deputy.id);
  });

  test('a user who may record absences but not assign reviewers, also by moving the days', async () => {
    const boss = await staff({ roles: [] });
    const { rows } = await owner.query<{ id: number }>(
      `insert into roles (name, description, scope) values ('Absence keeper', '', 'all') returning id`,
    );
    await owner.query(`insert into role_permissions select $1, unnest(array['employees.view', 'employees.update'])`, [
      rows[0]?.id,
    ]);
    await owner.query('insert into role_assignments (user_id, role_id) values ($1, $2)', [boss.user_id, rows[0]?.id]);
    const [reviewer, deputy] = [await staff(reviewerFields), await staff(reviewerFields)];
    const client = await as(boss.user_id);
    const at = `/api/employees/${reviewer.id}/absences`;
    expect((await client.post(at, body({ deputy }))).status).toBe(403);
    const { id } = await name(reviewer, { deputy });
    expect((await client.put(`${at}/${id}`, { last_day: day(30) })).status).toBe(403);
    expect((await client.put(`${at}/${id}`, { last_day: day(30), deputy_id: null })).status).toBe(200);
  });
});

test('the reason of an absence changes also when the deputy cannot stand in any more; other days need another one', async () => {
  const [reviewer, deputy] = [await staff(reviewerFields), await staff(reviewerFields)];
  const { id } = await name(reviewer, { deputy });
  const client = await hr();
  expect((await client.post(`/api/employees/${deputy.id}/deactivate`, { reason: 'On unpaid leave' })).status).toBe(200);
  const at = `/api/employees/${reviewer.id}/absences/${id}`;
  const changed = await client.put(at, { absence_reason: 'Parental leave' });
  expect([changed.status, changed.body.data?.deputy.id]).toEqual([200, deputy.id]);
  const longer = await client.put(at, { last_day: day(30) });
  expect([longer.status, Object.keys(longer.body.errors)]).toEqual([422, ['deputy_id']]);
  expect((await client.put(at, { last_day: day(30), deputy_id: null })).status).toBe(200);
});

test('the deputy reads whom they stand in for, and hears of it; the absent person and HR do too', async () => {
  const [reviewer, deputy] = [await staff(reviewerFields), await staff(reviewerFields)];
  await name(reviewer, { deputy, from: 3, to: 9 });
  const { data } = (await (await as(deputy.user_id)).get('/api/profile/covered-absences')).body;
  expect(data).toMatchObject([
    { employee: { id: reviewer.id }, first_day: day(3), last_day: day(9), state: 'planned', deputy_tasks: both },
  ]);
  await clock.goTo(10);
  expect((await (await as(deputy.user_id)).get('/api/profile/covered-absences')).body.data).toEqual([]);
  const { rows } = await owner.query(
    `select variant, user_id::int from notifications where event = 'absence_recorded' and subject_id = $1 order by id`,
    [reviewer.id],
  );
  expect(rows).toEqual([
    { variant: 'own', user_id: reviewer.user_id },
    { variant: 'deputy', user_id: deputy.user_id },
  ]);
});
