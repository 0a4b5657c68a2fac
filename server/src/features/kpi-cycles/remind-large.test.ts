import { expect, test } from 'vitest';
import { databaseNow } from '../../jobs/task.ts';
import { startApp } from '../../testing/app.ts';
import { kpiMaker } from '../../testing/make-kpi.ts';
import { remindRemaining } from './remind.ts';

/** Manual reminders beyond the limit of a request. */

const testApp = await startApp({}, { large: true });
const { as, make, owner, deps } = testApp;
const kpi = kpiMaker(testApp);
const template = await kpi.template();
const [first, second] = [await make.department(), await make.department()];
const { id: cycleId } = await kpi.cycle({
  departments: [first, second].map(({ id }) => ({ department_id: id, template_id: template.id, is_published: true })),
});
const most = 5_000;
const people = most + 20;

/** People with a due self-assessment, every other of the last ones in another company; inserted directly. */
await owner.query(
  `with made as (
     insert into users (email) select 'p' || n || '@example.com' from generate_series(1, $1::int) n returning id, email
   ), places as (
     select m.*, case when id % 2 = 1 or row_number() over (order by id) <= $2::int then $3::bigint else $4::bigint end as department_id
     from made m
   ), hired as (
     insert into employees (user_id, email, employee_number, first_name, last_name, employment_lifecycle, entity_id,
                            department_id)
     select p.id, email, 'P' || p.id, 'Ann', 'Lee', 'confirmed', d.entity_id, d.id
     from places p join departments d on d.id = p.department_id order by p.id
     returning id, entity_id, department_id)
   insert into kpi_evaluations (cycle_id, employee_id, entity_id, department_id, template_id, template_name,
                                template_version, scale_min, scale_max, score_step, person_sort)
   select $5, h.id, h.entity_id, h.department_id, t.id, t.name, t.version, t.scale_min, t.scale_max, t.score_step, 'ann'
   from hired h, kpi_templates t where t.id = $6 order by h.id`,
  [people, most, first.id, second.id, cycleId, template.id],
);
const url = `/api/kpi-cycles/${cycleId}/remind`;
const sender = async () => {
  const person = await make.employee({ roles: ['HR'] });
  return { user_id: person.user_id, client: await as(person.user_id) };
};

const notified = async () =>
  (await owner.query("select count(*)::int as n from notifications where event = 'kpi_deadline_reminder'")).rows[0]
    .n as number;
const left = async () =>
  (
    await owner.query<{ payload: object }>(
      "select payload from graphile_worker.jobs j join graphile_worker._private_jobs p using (id) where task_identifier = 'remind_kpi_cycle' order by id",
    )
  ).rows.map(({ payload }) => payload);
const runJob = async (payload: unknown) => remindRemaining({ deps, now: await databaseNow(deps.db) }, payload);
const again = () => owner.query('delete from notifications; delete from graphile_worker._private_jobs');
const lastOfFirst = async () =>
  (await owner.query('select id::int from kpi_evaluations order by id offset $1 limit 1', [most - 1])).rows[0]
    .id as number;

test('a request reminds up to its limit, and a job the others, each once', async () => {
  const { user_id, client } = await sender();
  expect((await client.post(url, { stage: 'self' })).body.data).toEqual({ reminded: people, open: people });
  expect(await notified()).toBe(most);
  const [payload] = await left();
  const scope = { cycle_id: cycleId, stage: 'self', entity_ids: null, department_ids: null };
  expect(await left()).toEqual([{ ...scope, after: await lastOfFirst(), actor_id: user_id }]);
  await runJob(payload);
  await runJob(payload);
  expect(await notified()).toBe(people);
  expect((await client.post(url, { stage: 'self' })).body.data).toEqual({ reminded: 0, open: people });
  expect(await left()).toHaveLength(1);
  const { data } = (await client.get('/api/audit-log?action=kpi_cycle.remind')).body;
  expect(data.map(({ changes }: { changes: { reminded: object } }) => changes.reminded)).toEqual([
    { from: null, to: 0 },
    { from: null, to: people },
  ]);
});

test('the job is limited to the named departments', async () => {
  await again();
  const { client } = await sender();
  const department_ids = [first.id];
  const open = people - 10;
  expect((await client.post(url, { stage: 'self', department_ids })).body.data).toEqual({ reminded: open, open });
  const [payload] = await left();
  await runJob(payload);
  expect(await notified()).toBe(open);
});

test.each<[string, (userId: number) => [string, unknown[]], number]>([
  ['nobody when the right is gone', (id) => ['delete from role_assignments where user_id = $1', [id]], most],
  ['nobody when the account is closed', (id) => ['update users set is_enabled = false where id = $1', [id]], most],
  [
    'those in reach when the right is narrower by then',
    (id) => ['update role_assignments set entity_ids = $2 where user_id = $1', [id, [second.entity_id]]],
    most + 10,
  ],
])('the job reminds %s', async (_name, taking, expected) => {
  await again();
  const { user_id, client } = await sender();
  expect((await client.post(url, { stage: 'self' })).body.data.reminded).toBe(people);
  const [payload] = await left();
  await owner.query(...taking(user_id));
  await runJob(payload);
  expect(await notified()).toBe(expected);
});

test('a right gained meanwhile does not extend the reminders', async () => {
  await again();
  const { user_id, client } = await sender();
  const narrow = 'update role_assignments set entity_ids = $2 where user_id = $1';
  await owner.query(narrow, [user_id, [first.entity_id]]);
  const open = people - 10;
  expect((await client.post(url, { stage: 'self' })).body.data).toEqual({ reminded: open, open });
  const [payload] = await left();
  await owner.query(narrow, [user_id, null]);
  await runJob(payload);
  expect(await notified()).toBe(open);
});
