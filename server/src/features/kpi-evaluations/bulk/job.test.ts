import { expect, test } from 'vitest';
import { databaseNow } from '../../../jobs/task.ts';
import { startApp } from '../../../testing/app.ts';
import type { Client } from '../../../testing/client.ts';
import { killWhen } from '../../../testing/kill-process.ts';
import { kpiMaker } from '../../../testing/make-kpi.ts';
import { changeEvaluationsJob, giveUpBulks } from './job.ts';

/** Changes of more evaluations than fit in a request: batches, progress, interruptions, and notifications. */

const testApp = await startApp({}, { large: true });
const { as, make, owner, deps } = testApp;
const kpi = kpiMaker(testApp);
const entity = await make.entity();
const hrOf = () => make.employee({ entity_id: entity.id, roles: [{ role: 'HR', entity_ids: [entity.id] }] });
const hrPerson = await hrOf();
const hr = await as(hrPerson.user_id);
const url = '/api/kpi-evaluations/bulk';

let serial = 0;
/** A cycle with this many evaluations in HR review, copied from one. */
async function crowd(people: number) {
  const name = `crowd${(serial += 1)}`;
  const department = await make.department({ entity_id: entity.id });
  const reviewer = await make.employee({ entity_id: entity.id, roles: ['TeamLead'] });
  const first = await make.employee({ department_id: department.id });
  const one = await kpi.evaluation({ employee: first, reviewer, status: 'hr_review' });
  await owner.query(
    `with made as (
       insert into users (email) select $1 || n || '@example.com' from generate_series(2, $2::int) n returning id, email
     ), people as (
       insert into employees (user_id, email, employee_number, first_name, last_name, employment_lifecycle, entity_id,
                              department_id)
       select id, email, $1 || id, 'Ann', 'Lee', 'confirmed', $3, $4 from made returning id, entity_id, department_id
     )
     insert into kpi_evaluations (cycle_id, employee_id, entity_id, department_id, reviewer_id, template_id, template_name,
       template_version, scale_min, scale_max, score_step, status, overall_score, overall_percentage, suggested_flag,
       person_sort)
     select v.cycle_id, p.id, p.entity_id, p.department_id, v.reviewer_id, v.template_id, v.template_name,
            v.template_version, v.scale_min, v.scale_max, v.score_step, v.status, 4, 80, 'standard', 'ann lee'
     from people p, kpi_evaluations v where v.id = $5`,
    [name, people, entity.id, department.id, one.id],
  );
  await owner.query(
    `insert into kpi_evaluation_items (evaluation_id, template_item_id, name, weight, sort_order, item_type,
                                       evidence_required, self_score, manager_score)
     select v.id, i.template_item_id, i.name, i.weight, i.sort_order, i.item_type, false, 4, 4
     from kpi_evaluations v, kpi_evaluation_items i
     where v.cycle_id = $1 and v.id <> $2 and i.evaluation_id = $2`,
    [one.cycle_id, one.id],
  );
  return { cycle_id: one.cycle_id, filter: { cycle_id: String(one.cycle_id) }, first: one };
}

type Run = {
  id: number;
  status: string;
  counts: Record<string, number>;
  reasons: object[];
  stop_reason: string | null;
};
async function start(filter: object, client: Client = hr, more: object = {}): Promise<Run> {
  const { status, body } = await client.post(url, { kind: 'hr-review', filter, hr_comment: 'Thank you.', ...more });
  expect([status, body.data.bulk?.status, body.data.rows]).toEqual([200, 'processing', []]);
  return body.data.bulk as Run;
}
const runJob = async (id: number) => changeEvaluationsJob({ deps, now: await databaseNow(deps.db) }, { id });
const read = async (id: number, client: Client = hr) =>
  (await client.get(`/api/kpi-evaluation-bulks/${id}`)).body.data as Run;
/** Released evaluations of a cycle, their history, final scores and notifications. */
const released = async (cycleId: number) =>
  (
    await owner.query(
      `select count(*)::int as evaluations,
              count(*) filter (where revision = 2)::int as once,
              sum((select count(*) from kpi_evaluation_activity a where a.evaluation_id = v.id))::int as history,
              sum((select count(final_score) from kpi_evaluation_items i where i.evaluation_id = v.id))::int as scores,
              (select count(*)::int from notifications n join kpi_evaluations w on w.id = n.subject_id
               where n.event = 'kpi_hr_review_submitted' and w.cycle_id = $1) as notified
       from kpi_evaluations v where cycle_id = $1 and status = 'pending_acceptance'`,
      [cycleId],
    )
  ).rows[0] as Record<'evaluations' | 'once' | 'history' | 'scores' | 'notified', number>;
const whole = (n: number) => ({ evaluations: n, once: n, history: n, scores: 3 * n, notified: n });
const finished = async (client: Client = hr) =>
  (await client.get('/api/notifications?event=kpi_bulk_finished')).body.data as { title: string; data: object }[];

test('a job releases more than a request does, with progress, one notification each and one for the user', async () => {
  const { cycle_id, filter, first } = await crowd(1_100);
  const answer = await hr.post(url, { kind: 'hr-review', filter, hr_comment: 'Thank you.', dry_run: true });
  expect([answer.status, answer.body.errors]).toEqual([200, undefined]);
  const dry = answer.body.data;
  expect([dry.counts, dry.rows.length, dry.revisions.length]).toEqual([
    { total: 1_100, changed: 1_100, refused: 0 },
    500,
    1_100,
  ]);
  // one changes after the preview
  await hr.put(`/api/kpi-evaluations/${first.id}`, { hr_comment: 'Well done.' });
  const ids = dry.revisions.map(({ id }: { id: number }) => id);
  const { id } = await start({}, hr, { filter: undefined, ids, revisions: dry.revisions });
  expect(await read(id)).toMatchObject({ counts: { total: 1_100, open: 1_100 }, allowed_actions: ['cancel'] });
  await runJob(id);
  expect(await released(cycle_id)).toEqual(whole(1_099));
  const run = await read(id);
  expect(run).toMatchObject({
    status: 'completed',
    counts: { total: 1_100, changed: 1_099, refused: 1, open: 0 },
    reasons: [{ reason: 'This record has changed in the meantime. Check the latest version and try again.', count: 1 }],
    allowed_actions: [],
  });
  const { data: rows } = (await hr.get(`/api/kpi-evaluation-bulks/${id}/rows?outcome=refused`)).body;
  expect(rows).toMatchObject([
    { id: first.id, label: expect.any(String), employee_number: expect.any(String), outcome: 'refused' },
  ]);
  const { employee_number: number } = rows[0] as { employee_number: string };
  const found = (await hr.get(`/api/kpi-evaluation-bulks/${id}/rows?search=${number}`)).body;
  expect(found.meta.total).toBeLessThan(1_100);
  expect(found.data).toContainEqual(rows[0]);
  expect(await finished()).toMatchObject([
    { title: '1100 evaluations: change finished', data: { url: `/kpi/evaluations?tab=all&bulk=${id}` } },
  ]);
  await runJob(id);
  expect(await released(cycle_id)).toEqual(whole(1_099));
}, 90_000);

test('five thousand and one are refused, by ids and by filter, and nothing is written', async () => {
  const { cycle_id, filter } = await crowd(5_001);
  const runs = async () => (await owner.query('select count(*)::int from kpi_evaluation_bulks')).rows;
  const before = await runs();
  const refused = await hr.post(url, { kind: 'hr-review', filter, hr_comment: 'Thank you.' });
  expect([refused.status, refused.body.errors]).toEqual([
    422,
    { filter: ['The list has more than 5,000 evaluations. Narrow it down.'] },
  ]);
  expect([await runs(), (await released(cycle_id)).evaluations]).toEqual([before, 0]);
}, 90_000);

test('a job whose process dies goes on where it stopped and does nothing twice', async () => {
  const { cycle_id, filter } = await crowd(3_000);
  const { id } = await start(filter);
  await killWhen(testApp, ['bulk-worker.ts', String(id)], async () => (await released(cycle_id)).evaluations > 0);
  const { evaluations } = await released(cycle_id);
  expect([evaluations % 500, evaluations < 3_000]).toEqual([0, true]);
  expect((await read(id)).counts['changed']).toBe(evaluations);
  const runOrRetry = () => runJob(id).catch(() => runJob(id));
  await Promise.all([runOrRetry(), runOrRetry()]);
  await runJob(id);
  expect(await released(cycle_id)).toEqual(whole(3_000));
  expect((await read(id)).status).toBe('completed');
}, 90_000);

/** Runs the job, with a statement in the transaction of the first batch. */
async function runWith(id: number, statement: string) {
  await owner.query(`create function meddle() returns trigger language plpgsql security definer as $$
    begin ${statement}; return null; end $$;
    create trigger meddle after update on kpi_evaluations execute function meddle()`);
  await runJob(id);
  await owner.query('drop function meddle cascade');
}

test('a cancelled change stops between two parts; what is done stays and is notified of', async () => {
  const { cycle_id, filter } = await crowd(1_200);
  const user = await as((await hrOf()).user_id);
  const { id } = await start(filter, user);
  // as if the user cancelled the run during the first batch
  await runWith(
    id,
    `update kpi_evaluation_bulks set cancel_requested_at = now() where id = ${id} and cancel_requested_at is null`,
  );
  expect(await released(cycle_id)).toEqual(whole(500));
  expect(await read(id, user)).toMatchObject({ status: 'cancelled', counts: { changed: 500, open: 700 } });
  expect(await finished(user)).toMatchObject([{ title: '1200 evaluations: change cancelled' }]);
  const over = await user.post(`/api/kpi-evaluation-bulks/${id}/cancel`);
  expect([over.status, over.body.errors]).toEqual([422, { status: ['This change is already over.'] }]);
}, 90_000);

test('a user cancels only an own change', async () => {
  const { cycle_id, filter } = await crowd(501);
  const { id } = await start(filter);
  const stranger = await as((await hrOf()).user_id);
  for (const path of ['', '/rows'])
    expect((await stranger.get(`/api/kpi-evaluation-bulks/${id}${path}`)).status).toBe(404);
  expect((await stranger.post(`/api/kpi-evaluation-bulks/${id}/cancel`)).status).toBe(404);
  expect((await stranger.get('/api/kpi-evaluation-bulks')).body.meta.total).toBe(0);
  const { data } = (await hr.post(`/api/kpi-evaluation-bulks/${id}/cancel`)).body;
  expect(data).toMatchObject({ status: 'processing', allowed_actions: [] });
  await runJob(id);
  expect([(await read(id)).status, (await released(cycle_id)).evaluations]).toEqual(['cancelled', 0]);
}, 90_000);

test('a change stops when its user loses the role meanwhile, and says so', async () => {
  const { cycle_id, filter } = await crowd(1_200);
  const { user_id } = await hrOf();
  const { id } = await start(filter, await as(user_id));
  await runWith(id, `delete from role_assignments where user_id = ${user_id}`);
  expect(await released(cycle_id)).toEqual(whole(500));
  const { rows } = await owner.query('select status, stop_reason from kpi_evaluation_bulks where id = $1', [id]);
  expect(rows).toEqual([{ status: 'stopped', stop_reason: { key: 'evaluations.bulk_right_lost' } }]);
  const notices = await owner.query(
    `select variant from notifications where event = 'kpi_bulk_finished' and user_id = $1`,
    [user_id],
  );
  expect(notices.rows).toEqual([{ variant: 'stopped' }]);
}, 90_000);

test('a narrower role refuses what it does not cover any more', async () => {
  const { cycle_id, filter } = await crowd(1_200);
  const { user_id } = await hrOf();
  const user = await as(user_id);
  const { id } = await start(filter, user);
  const elsewhere = await make.entity();
  await runWith(
    id,
    `update role_assignments set entity_ids = array[${elsewhere.id}::bigint] where user_id = ${user_id}`,
  );
  expect(await released(cycle_id)).toEqual(whole(500));
  expect(await read(id, user)).toMatchObject({
    status: 'completed',
    counts: { changed: 500, refused: 700 },
    reasons: [{ reason: 'Not found.', count: 700 }],
  });
}, 90_000);

test('a change whose job failed for good is stopped', async () => {
  const { filter } = await crowd(501);
  const { id } = await start(filter);
  const giveUp = async () => giveUpBulks({ deps, now: await databaseNow(deps.db) });
  const others = await giveUp();
  expect((await read(id)).status).toBe('processing');
  await owner.query('update graphile_worker._private_jobs set attempts = max_attempts where key = $1', [
    `change_kpi_evaluations:${id}`,
  ]);
  expect([await giveUp(), others]).toEqual([1, 0]);
  expect(await read(id)).toMatchObject({ status: 'stopped', stop_reason: 'The change was interrupted by an error.' });
}, 90_000);
