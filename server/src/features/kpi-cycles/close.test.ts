import { expect, test } from 'vitest';
import { databaseNow } from '../../jobs/task.ts';
import { startApp } from '../../testing/app.ts';
import { dayFromNow, kpiMaker } from '../../testing/make-kpi.ts';
import { moveRemainingDueDays, notifyRemainingOpenings } from './windows.ts';

const testApp = await startApp();
const { as, make, owner, deps } = testApp;
const kpi = kpiMaker(testApp);
const here = await make.entity();
const elsewhere = await make.entity();
const hrPerson = await make.employee({ entity_id: here.id, roles: ['HR'] });
const hr = await as(hrPerson.user_id);
const localHr = await as(
  (await make.employee({ entity_id: here.id, roles: [{ role: 'HR', entity_ids: [here.id] }] })).user_id,
);
const admin = await as((await make.admin()).user_id);

type Status =
  | 'self_assessment'
  | 'manager_review'
  | 'pending_acceptance'
  | 'accepted'
  | 'disputed'
  | 'completed'
  | 'cancelled';

/** A published cycle of one department with an evaluation in each state. */
async function round(statuses: readonly Status[], fields = {}, entityId = here.id) {
  const reviewer = await make.employee({ entity_id: entityId, roles: ['Manager'] });
  const department = await make.department({ entity_id: entityId, manager_id: reviewer.id });
  const template = await kpi.template();
  const cycle = await kpi.cycle({
    departments: [{ department_id: department.id, template_id: template.id, is_published: true }],
    ...fields,
  });
  const made = [];
  for (const status of statuses) {
    const employee = await make.employee({ department_id: department.id });
    made.push({ employee, ...(await kpi.evaluation({ cycle_id: cycle.id, template, employee, reviewer, status })) });
  }
  return { cycle, reviewer, department, made, url: `/api/kpi-cycles/${cycle.id}` };
}

const stateOf = async (cycleId: number) =>
  (
    await owner.query(
      `select c.status, c.close_reason, array(select v.status from kpi_evaluations v where v.cycle_id = c.id order by v.id)
         as evaluations,
         (select count(*)::int from kpi_evaluation_activity a join kpi_evaluations v on v.id = a.evaluation_id
          where v.cycle_id = c.id) as history
       from kpi_cycles c where c.id = $1`,
      [cycleId],
    )
  ).rows[0] as { status: string; close_reason: string | null; evaluations: string[]; history: number };
const eventsOf = async (userId: number) =>
  (await owner.query('select event from notifications where user_id = $1 order by id', [userId])).rows.map(
    ({ event }) => event as string,
  );

test('a cycle without open evaluations is closed, and its people are notified', async () => {
  const { cycle, reviewer, url } = await round(['completed', 'cancelled']);
  const { status, body } = await hr.post(`${url}/close`, { revision: cycle.revision });
  expect([status, body.message]).toEqual([200, 'KPI cycle closed successfully.']);
  expect(body.data).toMatchObject({ status: 'closed', close_reason: null, allowed_actions: ['export'] });
  expect(body.data.closed_at).toEqual(expect.any(String));
  expect(await eventsOf(reviewer.user_id)).toEqual(['kpi_cycle_closed']);
  const again = await hr.post(`${url}/close`);
  expect([again.status, again.body.status]).toEqual([422, 'closed']);
});

test('open evaluations prevent a close, unless they are ended by force with a reason', async () => {
  const { cycle, url, made } = await round([
    'self_assessment',
    'manager_review',
    'pending_acceptance',
    'accepted',
    'disputed',
    'completed',
  ]);
  const before = await stateOf(cycle.id);
  const open = await hr.post(`${url}/close`);
  expect([open.status, open.body.errors]).toEqual([422, { status: ['There are still 5 open evaluations.'] }]);
  const silent = await hr.post(`${url}/close`, { force: true });
  expect(silent.body.errors).toEqual({ reason: ['The reason field is required.'] });
  const { rows } = await owner.query(`insert into roles (name, scope) values ('Organiser', 'all') returning id`);
  await owner.query(`insert into role_permissions select $1, unnest($2::text[])`, [
    rows[0].id,
    ['kpi-cycle.view', 'kpi-cycle.update'],
  ]);
  const organiser = await make.employee({ roles: [] });
  await owner.query('insert into role_assignments (user_id, role_id) values ($1, $2)', [organiser.user_id, rows[0].id]);
  const forced = { force: true, reason: 'The company is being sold.' };
  expect((await (await as(organiser.user_id)).post(`${url}/close`, forced)).status).toBe(403);
  expect(await stateOf(cycle.id)).toEqual(before);
  expect((await hr.post(`${url}/close`, forced)).status).toBe(200);
  expect(await stateOf(cycle.id)).toEqual({
    status: 'closed',
    close_reason: 'The company is being sold.',
    evaluations: ['cancelled', 'cancelled', 'completed', 'completed', 'completed', 'completed'],
    history: before.history + 5,
  });
  expect(await eventsOf(made[0]?.employee.user_id ?? 0)).toEqual(['kpi_evaluation_cancelled']);
  expect(await eventsOf(made[2]?.employee.user_id ?? 0)).toEqual(['kpi_evaluation_completed']);
});

test('no user writes an evaluation of a closed cycle', async () => {
  const { cycle, made } = await round(['self_assessment']);
  await owner.query(`update kpi_cycles set status = 'closed' where id = $1`, [cycle.id]);
  const before = await stateOf(cycle.id);
  const subject = await as(made[0]?.employee.user_id);
  const { status } = await subject.put(`/api/kpi-evaluations/${made[0]?.id}`, { self_comment: 'Late' });
  expect(status).toBe(422);
  expect(await stateOf(cycle.id)).toEqual(before);
});

test('a cycle of all companies is closed with a reach of all companies, and reopened by administrators only', async () => {
  const { cycle, url } = await round(['completed']);
  expect((await localHr.post(`${url}/close`)).status).toBe(403);
  const own = await round(['completed'], { entity_id: here.id });
  expect((await localHr.post(`${own.url}/close`)).status).toBe(200);
  const early = await admin.post(`${url}/reopen`, { reason: 'Not closed at all.' });
  expect([early.status, early.body.status]).toEqual([422, 'published']);
  await hr.post(`${url}/close`);
  expect((await hr.post(`${url}/reopen`, { reason: 'Somebody was forgotten.' })).status).toBe(403);
  const { status, body } = await admin.post(`${url}/reopen`, { reason: 'Somebody was forgotten.' });
  expect([status, body.data.status, body.data.closed_at]).toEqual([200, 'published', null]);
  const { rows } = await owner.query(
    `select action, reason from audit_log where subject_type = 'kpi_cycle' and subject_id = $1 order by id`,
    [cycle.id],
  );
  expect(rows).toEqual([
    { action: 'kpi_cycle.close', reason: null },
    { action: 'kpi_cycle.reopen', reason: 'Somebody was forgotten.' },
  ]);
});

test('of a close and a simultaneous reopening of an evaluation one is refused', async () => {
  const { cycle, url, made } = await round(['completed']);
  const answers = await Promise.all([
    hr.post(`${url}/close`),
    hr.post(`/api/kpi-evaluations/${made[0]?.id}/reopen`, { reason: 'A figure was wrong.' }),
  ]);
  expect(answers.map(({ status }) => status)).toEqual(expect.arrayContaining([200, 422]));
  const { status, evaluations } = await stateOf(cycle.id);
  expect([
    ['closed', 'completed'],
    ['published', 'hr_review'],
  ]).toContainEqual([status, ...evaluations]);
});

test("reminders go to people with open tasks, within the sender's reach, and are recorded", async () => {
  const { cycle, url, made, department } = await round(['self_assessment', 'completed']);
  const abroad = await round(['self_assessment'], {}, elsewhere.id);
  await owner.query('update kpi_evaluations set cycle_id = $1 where cycle_id = $2', [cycle.id, abroad.cycle.id]);
  const remind = await localHr.post(`${url}/remind`, { stage: 'self' });
  expect(remind.body.data).toEqual({ reminded: 1, open: 1 });
  expect(await eventsOf(made[0]?.employee.user_id ?? 0)).toEqual(['kpi_deadline_reminder']);
  expect(await eventsOf(made[1]?.employee.user_id ?? 0)).toEqual([]);
  expect(await eventsOf(abroad.made[0]?.employee.user_id ?? 0)).toEqual([]);
  expect((await localHr.post(`${url}/remind`, { stage: 'self' })).body.data).toEqual({ reminded: 0, open: 1 });
  const one = { stage: 'self', department_ids: [department.id] };
  expect((await hr.post(`${url}/remind`, one)).body.data).toEqual({ reminded: 0, open: 1 });
  const foreign = await localHr.post(`${url}/remind`, { stage: 'self', department_ids: [abroad.department.id] });
  expect(foreign.body.errors).toEqual({ department_ids: ['This departments isn’t available. Select another one.'] });
  const { rows } = await owner.query(
    `select changes -> 'reminded' -> 'to' as n from audit_log where action = 'kpi_cycle.remind' and subject_id = $1
     order by id`,
    [cycle.id],
  );
  expect(rows.map(({ n }) => n)).toEqual([1, 0, 0]);
  await owner.query(`update kpi_cycles set status = 'closed' where id = $1`, [cycle.id]);
  expect((await hr.post(`${url}/remind`, { stage: 'self' })).status).toBe(422);
});

const dueDays = async (cycleId: number) =>
  (
    await owner.query('select status, due_on::text, revision from kpi_evaluations where cycle_id = $1 order by id', [
      cycleId,
    ])
  ).rows.map(({ status, due_on, revision }) => [status, due_on, revision] as unknown[]);

const inWords = (day: string) => new Date(day).toLocaleDateString('en-GB', { dateStyle: 'medium', timeZone: 'UTC' });

test('a moved window moves the due days of open steps and notifies their assignees', async () => {
  const { cycle, url, made, reviewer } = await round([
    'self_assessment',
    'manager_review',
    'manager_review',
    'completed',
  ]);
  const [self, manager] = [dayFromNow(8), dayFromNow(20)];
  const { status } = await hr.put(url, { self_assessment_closes_on: self, manager_review_closes_on: manager });
  expect(status).toBe(200);
  expect(await dueDays(cycle.id)).toEqual([
    ['self_assessment', self, 1],
    ['manager_review', manager, 1],
    ['manager_review', manager, 1],
    ['completed', null, 1],
  ]);
  expect(await eventsOf(made[0]?.employee.user_id ?? 0)).toEqual(['kpi_cycle_window_changed']);
  expect(await eventsOf(reviewer.user_id)).toEqual(['kpi_cycle_window_changed']);
  expect(await eventsOf(made[3]?.employee.user_id ?? 0)).toEqual([]);
  const inbox = (await (await as(reviewer.user_id)).get('/api/notifications')).body.data[0];
  expect([inbox.title, inbox.data.url]).toEqual([
    `${cycle.name}: your step is now due on ${inWords(manager)}`,
    '/kpi/evaluations',
  ]);
  await hr.put(url, { self_assessment_opens_on: dayFromNow(-30) });
  expect(await eventsOf(made[0]?.employee.user_id ?? 0)).toHaveLength(1);
});

test('a job finishes the rest of a move', async () => {
  const { cycle, made } = await round(['self_assessment', 'self_assessment']);
  await owner.query('update kpi_cycles set self_assessment_closes_on = $1 where id = $2', [dayFromNow(9), cycle.id]);
  const payload = {
    cycle: { id: cycle.id, name: cycle.name, revision: 2 },
    after: made[0]?.id,
    actor_id: hrPerson.user_id,
  };
  const context = { deps, now: await databaseNow(deps.db) };
  await moveRemainingDueDays(context, payload);
  await moveRemainingDueDays(context, payload);
  expect(await dueDays(cycle.id)).toEqual([
    ['self_assessment', dayFromNow(5), 1],
    ['self_assessment', dayFromNow(9), 1],
  ]);
  expect(await eventsOf(made[1]?.employee.user_id ?? 0)).toEqual(['kpi_cycle_window_changed']);
});

test('a step taken while its window moves is due by the new window', async () => {
  const { cycle, url, made, reviewer } = await round(['self_assessment']);
  const step = await owner.connect();
  await step.query('begin');
  await step.query("update kpi_evaluations set status = 'manager_review' where id = $1", [made[0]?.id]);
  expect((await hr.put(url, { manager_review_closes_on: dayFromNow(20) })).status).toBe(200);
  await step.query('commit');
  step.release();
  const { rows } = await owner.query<{ payload: unknown }>(
    `select j.payload from graphile_worker._private_jobs j order by j.id desc limit 1`,
  );
  const context = { deps, now: await databaseNow(deps.db) };
  await moveRemainingDueDays(context, rows[0]?.payload);
  expect(await dueDays(cycle.id)).toEqual([['manager_review', dayFromNow(20), 2]]);
  expect(await eventsOf(reviewer.user_id)).toEqual(['kpi_cycle_window_changed']);
});

const titlesOf = async (person: { user_id: number } | undefined, locale = 'en') => {
  const client = await as(person?.user_id ?? 0);
  await owner.query('update users set locale = $2 where id = $1', [person?.user_id, locale]);
  const { data } = (await client.get('/api/notifications')).body;
  return data.map(({ title, data: { url } }: { title: string; data: { url: string } }) => [title, url]);
};

test('assignees are notified when a step opens later, and when it opens again', async () => {
  const { cycle, url, made, reviewer } = await round(
    ['self_assessment', 'self_assessment', 'manager_review', 'manager_review', 'completed'],
    { self_assessment_closes_on: dayFromNow(5), manager_review_closes_on: dayFromNow(20) },
  );
  const [writer, given, ...others] = made;
  await owner.query('update kpi_evaluations set stage_open_until = $1 where id = $2', [dayFromNow(9), given?.id]);
  const opening = async (fields: object) => expect((await hr.put(url, fields)).status).toBe(200);
  await opening({ self_assessment_opens_on: dayFromNow(2) });
  const own = `/kpi/evaluations/${writer?.id}`;
  const later = [`${cycle.name}: your step now opens on ${inWords(dayFromNow(2))}`, own];
  expect(await titlesOf(writer?.employee)).toEqual([later]);
  const nobody = [given, ...others].map((one) => one?.employee);
  for (const person of [reviewer, ...nobody]) expect(await titlesOf(person)).toEqual([]);

  await opening({ self_assessment_opens_on: null, manager_review_opens_on: dayFromNow(3) });
  expect(await titlesOf(writer?.employee)).toEqual([[`${cycle.name}: your step is now open`, own], later]);
  const german = `${cycle.name}: Ihr Schritt beginnt jetzt am `;
  expect(await titlesOf(reviewer, 'de')).toEqual([[expect.stringContaining(german), '/kpi/evaluations']]);
  // it was already open
  await opening({ self_assessment_opens_on: dayFromNow(-3) });
  expect(await titlesOf(writer?.employee)).toHaveLength(2);
  // a moved end only needs one notification
  await opening({ self_assessment_opens_on: dayFromNow(4), self_assessment_closes_on: dayFromNow(8) });
  const due = [`${cycle.name}: your step is now due on ${inWords(dayFromNow(8))}`, own];
  expect((await titlesOf(writer?.employee))[0]).toEqual(due);
  expect(await titlesOf(writer?.employee)).toHaveLength(3);
  expect(await dueDays(cycle.id)).toMatchObject([
    ['self_assessment', dayFromNow(8), expect.anything()],
    ['self_assessment', dayFromNow(9), expect.anything()],
    ['manager_review', dayFromNow(20), 1],
    ['manager_review', dayFromNow(20), 1],
    ['completed', null, 1],
  ]);
});

test('a job notifies assignees of an opening beyond a request, unless the window has moved again', async () => {
  const { cycle, made } = await round(['self_assessment', 'self_assessment', 'manager_review']);
  const [first, second] = made;
  const to = dayFromNow(2);
  const payload = {
    cycle: { id: cycle.id, name: cycle.name, revision: 2 },
    opening: { step: 'self_assessment', from: null, to },
    after: first?.id,
    actor_id: hrPerson.user_id,
  };
  const context = { deps, now: await databaseNow(deps.db) };
  const notified = async () => Promise.all(made.map(async ({ employee }) => (await eventsOf(employee.user_id)).length));
  await notifyRemainingOpenings(context, payload);
  expect(await notified()).toEqual([0, 0, 0]);
  await owner.query('update kpi_cycles set self_assessment_opens_on = $1 where id = $2', [to, cycle.id]);
  await notifyRemainingOpenings(context, payload);
  await notifyRemainingOpenings(context, payload);
  expect(await notified()).toEqual([0, 1, 0]);
  expect(await eventsOf(second?.employee.user_id ?? 0)).toEqual(['kpi_cycle_window_changed']);
});
