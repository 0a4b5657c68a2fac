import { expect, test } from 'vitest';
import { databaseNow } from '../../jobs/task.ts';
import { startApp } from '../../testing/app.ts';
import { killWhen } from '../../testing/kill-process.ts';
import { kpiMaker } from '../../testing/make-kpi.ts';
import { maxAtOnce } from './publish.ts';
import { giveUpPublishing } from './publish-given-up.ts';
import { publishCycleJob } from './publish-job.ts';

const testApp = await startApp({}, { large: true });
const { as, make, owner, deps } = testApp;
const kpi = kpiMaker(testApp);
const hrPerson = await make.employee({ roles: ['HR'] });
const hr = await as(hrPerson.user_id);
const head = await make.employee({ roles: ['Manager'] });

let serial = 0;
/** A draft cycle of one department with this many people, inserted directly. */
async function crowd(people: number) {
  const name = `crowd${(serial += 1)}`;
  const department = await make.department({ manager_id: head.id });
  await owner.query(
    `with made as (
       insert into users (email) select $1 || n || '@example.com' from generate_series(1, $2::int) n returning id, email)
     insert into employees (user_id, email, employee_number, first_name, last_name, employment_lifecycle, entity_id,
                            department_id)
     select id, email, $1 || id, 'Ann', 'Lee', 'confirmed', $3, $4 from made`,
    [name, people, department.entity_id, department.id],
  );
  const template = await kpi.template();
  const cycle = await kpi.cycle({
    status: 'draft',
    departments: [{ department_id: department.id, template_id: template.id }],
  });
  return { id: cycle.id, url: `/api/kpi-cycles/${cycle.id}` };
}

const runJob = async (id: number) => publishCycleJob({ deps, now: await databaseNow(deps.db) }, { id });
/** Evaluations, people with one, copies of items, history rows, and notified people. */
const made = async (id: number) =>
  (
    await owner.query(
      `select count(*)::int as evaluations, count(distinct v.employee_id)::int as people,
              sum((select count(*) from kpi_evaluation_items i where i.evaluation_id = v.id))::int as items,
              sum((select count(*) from kpi_evaluation_activity a where a.evaluation_id = v.id))::int as history,
              (select count(*)::int from notifications n join kpi_evaluations w on w.id = n.subject_id
               where n.event = 'kpi_evaluation_assigned' and w.cycle_id = $1) as notified
       from kpi_evaluations v where v.cycle_id = $1`,
      [id],
    )
  ).rows[0] as Record<'evaluations' | 'people' | 'items' | 'history' | 'notified', number>;
const whole = (people: number) => ({
  evaluations: people,
  people,
  items: people * 3,
  history: people,
  notified: people,
});

test('a job creates the evaluations beyond a request, with visible progress', async () => {
  const people = maxAtOnce + 1;
  const { id, url } = await crowd(people);
  const { plan_hash } = (await hr.get(`${url}/preflight`)).body.data;
  const { body } = await hr.post(`${url}/publish`, { plan_hash });
  expect(body.message).toBe('Publishing started.');
  expect(body.result).toEqual({ status: 'processing', created: 0, skipped: 0, blocked: 0 });
  expect(body.data).toMatchObject({ status: 'published', publishing: { processed: 0, total: people } });
  expect(body.data.allowed_actions).toEqual(['update', 'preflight', 'remind', 'export']);
  const meanwhile = await hr.post(`${url}/publish`);
  expect([meanwhile.status, meanwhile.body.errors]).toEqual([
    422,
    { status: ['This cycle is already being published.'] },
  ]);
  expect((await hr.post(`${url}/close`)).body.errors).toEqual({ status: ['This cycle is being published.'] });
  const { revision } = body.data;
  await runJob(id);
  expect(await made(id)).toEqual(whole(people));
  const { data } = (await hr.get(url)).body;
  expect(data).toMatchObject({ publishing: null, evaluations_count: people, revision });
  await runJob(id);
  expect(await made(id)).toEqual(whole(people));
}, 180_000);

test('a publication whose process dies continues where it stopped, and creates nothing twice', async () => {
  const people = maxAtOnce + 5_000;
  const { id, url } = await crowd(people);
  await hr.post(`${url}/publish`);
  // its batch is blocked, so that the process cannot finish before it is killed
  const holder = await owner.connect();
  await holder.query('begin; select from employees where id = (select max(id) from employees) for update');
  await killWhen(testApp, ['publish-worker.ts', String(id)], async () => (await made(id)).evaluations > 0);
  await holder.query('rollback');
  holder.release();
  const before = await made(id);
  expect(before.evaluations).toBeLessThan(people);
  expect(before).toEqual(whole(before.evaluations));
  const { processed } = (await hr.get(url)).body.data.publishing as { processed: number };
  expect(processed).toBeLessThanOrEqual(before.evaluations);
  // a run that waits too long for the other's rows fails and is retried, as the queue does
  const runOrRetry = () => runJob(id).catch(() => runJob(id));
  await Promise.all([runOrRetry(), runOrRetry()]);
  expect(await made(id)).toEqual(whole(people));
  expect((await hr.get(url)).body.data.publishing).toBeNull();
}, 180_000);

test('a publication that fails for good keeps its evaluations, and the cycle can be published again', async () => {
  const people = maxAtOnce + 1;
  const { id, url } = await crowd(people);
  await owner.query(`
    create function refuse() returns trigger language plpgsql as $$ begin raise 'no room'; end $$;
    create trigger refuse before insert on kpi_evaluations for each row
      when (new.cycle_id = ${id} and mod(new.employee_id, 500) = 1) execute function refuse()`);
  await hr.post(`${url}/publish`);
  await expect(runJob(id)).rejects.toThrow('no room');
  await owner.query('alter table kpi_evaluations disable trigger refuse');
  const before = await made(id);
  const giveUp = async () => giveUpPublishing({ deps, now: await databaseNow(deps.db) });
  // it will be retried
  expect(await giveUp()).toBe(0);
  expect((await hr.get(url)).body.data.publishing).toMatchObject({ total: people });

  await owner.query(`update graphile_worker._private_jobs set attempts = max_attempts where key = $1`, [
    `publish_kpi_cycle:${id}`,
  ]);
  expect([await giveUp(), await giveUp()]).toEqual([1, 0]);
  const { data } = (await hr.get(url)).body;
  expect([data.publishing, data.status]).toEqual([null, 'published']);
  expect(data.allowed_actions).toEqual(expect.arrayContaining(['publish', 'close']));
  expect(await made(id)).toEqual(before);
  const [notified] = (await hr.get('/api/notifications?event=kpi_cycle_published')).body.data;
  expect(notified).toMatchObject({
    title: `Publishing ${data.name} was interrupted`,
    data: { url: `/kpi/cycles/${id}` },
  });
  const { rows } = await owner.query(
    `select actor_id, changes from audit_log where action = 'kpi_cycle.publish_stopped' and subject_id = $1`,
    [id],
  );
  expect(rows).toEqual([{ actor_id: null, changes: { publishing: { from: people, to: null } } }]);

  expect((await hr.post(`${url}/publish`)).status).toBe(200);
  await runJob(id);
  expect(await made(id)).toEqual(whole(people));
}, 180_000);

type Taking = { user_id: number; entity_id: number };
// skips rows that a parallel batch is deleting, which would otherwise wait for the whole of that batch
const noRole = ({ user_id }: Taking) =>
  `delete from role_assignments where ctid in
     (select ctid from role_assignments where user_id = ${user_id} for update skip locked)`;
test.each<[string, (taken: Taking) => string, made: number]>([
  ['has no role any more', noRole, 0],
  ['loses the role while it goes on', noRole, 4_000],
  [
    'has it for another company only',
    ({ user_id, entity_id }) =>
      `update role_assignments set entity_ids = array[${entity_id}::bigint] where user_id = ${user_id}`,
    0,
  ],
  ['may not sign in any more', ({ user_id }) => `update users set is_enabled = false where id = ${user_id}`, 0],
])(
  'a publication stops when its publisher %s',
  async (_name, taking, evaluations) => {
    const publisher = await make.employee({ roles: ['HR'] });
    const { id, url } = await crowd(maxAtOnce + 1);
    await owner.query('update kpi_cycles set owner_id = $1 where id = $2', [hrPerson.id, id]);
    expect((await (await as(publisher.user_id)).post(`${url}/publish`)).body.result.status).toBe('processing');
    const taken = taking({ user_id: publisher.user_id, entity_id: (await make.entity()).id });
    // at the same time as the first evaluations, if any
    await owner.query(
      evaluations === 0
        ? taken
        : `create function withdraw() returns trigger language plpgsql security definer as $$
           begin ${taken}; return null; end $$;
         create trigger withdraw after insert on kpi_evaluations execute function withdraw()`,
    );
    await runJob(id);
    await owner.query('drop function if exists withdraw cascade');
    expect((await made(id)).evaluations).toBe(evaluations);
    await runJob(id);
    expect((await made(id)).evaluations).toBe(evaluations);
    const { data: cycle } = (await hr.get(url)).body;
    expect(cycle).toMatchObject({ publishing: null, status: 'published' });
    expect(cycle.allowed_actions).toContain('publish');
    const [notified] = (await hr.get('/api/notifications?event=kpi_cycle_published')).body.data;
    expect([notified.title, notified.data.subject_id]).toEqual([`Publishing ${cycle.name} was interrupted`, id]);
    const { data } = (await hr.get(`/api/audit-log?action=kpi_cycle.publish_stopped&subject_id=${id}`)).body;
    expect(data).toMatchObject([{ actor: { name: 'System' }, reason: 'Permission to publish the cycle was removed.' }]);
  },
  180_000,
);
