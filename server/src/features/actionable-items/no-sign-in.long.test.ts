import { sql } from 'kysely';
import { expect, test } from 'vitest';
import type { Account } from '../../access/actor.ts';
import { loadRights } from '../../access/rights.ts';
import { startApp } from '../../testing/app.ts';
import { connect } from '../../db/connect.ts';
import { brokenInvariants } from '../../invariants/invariants.ts';
import { dayFromNow, kpiMaker } from '../../testing/make-kpi.ts';
import { probationMaker } from '../../testing/make-probation.ts';
import type { MadeEmployee } from '../../testing/make.ts';
import { randomOf } from '../../testing/year/random.ts';
import type { Random } from '../../testing/year/random.ts';
import { remindDue } from '../kpi-evaluations/reminders.ts';
import { skipSelfAssessments } from '../kpi-evaluations/scheduled-steps.ts';
import { remindOfEndings } from '../probation-reviews/reminders.ts';
import { listItems } from './queries.ts';

/**
 * People get and lose their address at any time of a KPI evaluation and a probation review. In any order, exactly one
 * party has the task of each open step and can do it, and no one without an account is notified.
 */

const app = await startApp({ RATE_LIMIT_PER_MINUTE: '1000000' });
const { as, make, owner, deps, database } = app;
const [kpi, probation] = [kpiMaker(app), probationMaker(app)];

const works = await make.entity();
const boss = await make.employee({ entity_id: works.id, roles: ['Manager'] });
const hall = await make.department({ entity_id: works.id, manager_id: boss.id });
const member = (roles: ('Manager' | 'HR')[]) => make.employee({ entity_id: works.id, roles });
const foreman = await make.employee({ department_id: hall.id, roles: ['Manager'] });
const [second, hr, otherHr] = [await member(['Manager']), await member(['HR']), await member(['HR'])];
const admin = await make.admin();

type Party = 'person' | 'reviewer' | 'hr';
const staff: readonly (readonly [{ user_id: number }, Party])[] = [
  [foreman, 'reviewer'],
  [second, 'reviewer'],
  [hr, 'hr'],
  [otherHr, 'hr'],
  [admin, 'hr'],
];

const clients = new Map<number, ReturnType<typeof as>>();
/** A client that does not sign in again for each step. */
const clientOf = (userId: number) => {
  const client = clients.get(userId) ?? as(userId);
  clients.set(userId, client);
  return client;
};
const isActive = async (userId: number) =>
  (await owner.query("select from employees where user_id = $1 and activity_status <> 'active'", [userId])).rowCount ===
  0;
const accountOf = async (id: number) =>
  (await owner.query<{ user_id: number | null }>('select user_id::int from employees where id = $1', [id])).rows[0]
    ?.user_id ?? null;

const request = { id: 'test', ip: '127.0.0.1', user_agent: 'test', url: '/', language: 'en' } as const;
/** The tasks of a user, read without a session, because a session would count as the first sign-in. */
async function tasksOf(userId: number) {
  const { rows } = await sql<Account>`
    select u.id as user_id, e.id as employee_id, coalesce(e.name, u.email) as name, u.email, u.must_change_password,
           u.locale, u.last_login_at, e.picture_key, 0 as session_id
    from users u left join employees e on e.user_id = u.id where u.id = ${userId}`.execute(deps.db);
  const actor = { ...(await loadRights(deps.db, userId)), ...(rows[0] as Account) };
  return (await listItems({ db: deps.db, actor, request }, { page: 1, per_page: 100 })).rows;
}

type Life = { id: number; evaluation: number; review: number; random: Random; notified: string[] };
type Task = { kind: string; subject: { type: string; id: number }; actions: string[]; party: Party; user: number };

/** The tasks about the evaluation and the review of a person, of everyone who can sign in. */
async function tasksAbout({ id, evaluation, review }: Life): Promise<Task[]> {
  const own = await accountOf(id);
  const readers = [...staff, ...(own === null ? [] : [[{ user_id: own }, 'person'] as const])];
  const found: Task[] = [];
  for (const [{ user_id }, party] of readers) {
    if (!(await isActive(user_id))) continue;
    for (const { kind, subject, allowed_actions } of await tasksOf(user_id)) {
      const isMine = subject.id === (subject.type === 'kpi_evaluation' ? evaluation : review);
      if (!isMine || !['kpi_evaluation', 'probation_review'].includes(subject.type)) continue;
      found.push({ kind, subject, actions: allowed_actions, party, user: user_id });
    }
  }
  return found;
}

type Stand = { evaluation: string; acknowledged: boolean; review: string; signs_in: boolean };
async function standOf({ id, evaluation, review }: Life): Promise<Stand> {
  const { rows } = await owner.query<Stand>(
    `select v.status as evaluation, r.status as review, r.employee_acknowledged_at is not null as acknowledged,
            e.user_id is not null as signs_in
     from employees e join kpi_evaluations v on v.id = $2 join probation_reviews r on r.id = $3 where e.id = $1`,
    [id, evaluation, review],
  );
  return rows[0] as Stand;
}

async function expectOneParty(life: Life): Promise<void> {
  const [stand, tasks] = [await standOf(life), await tasksAbout(life)];
  const partiesOf = (type: string) => [
    ...new Set(
      tasks
        // during the self-assessment HR also looks for another reviewer, which is not a step of the evaluation
        .filter(({ kind }) => stand.evaluation !== 'self_assessment' || kind !== 'kpi_missing_reviewer')
        .filter(({ subject }) => subject.type === type)
        .map(({ party }) => party),
    ),
  ];
  // the service skips the self-assessment of a person without a sign-in
  const isSkipped = stand.evaluation === 'self_assessment' && !stand.signs_in;
  const isOver = stand.evaluation === 'completed';
  const why = JSON.stringify({ stand, tasks, notified: life.notified });
  expect(partiesOf('kpi_evaluation'), why).toHaveLength(isSkipped || isOver ? 0 : 1);
  expect(partiesOf('probation_review'), why).toHaveLength(stand.acknowledged ? 0 : 1);
  expect(
    tasks.filter(({ actions }) => actions.length === 0),
    why,
  ).toEqual([]);
}

/** No account without a person or administrator gets notifications or mails, nor does a person without an account. */
async function expectNoneNotified({ evaluation, review, id, notified }: Life): Promise<void> {
  const { rows } = await owner.query(
    `select n.event, n.user_id from notifications n left join notification_deliveries d on d.notification_id = n.id
     where not exists (select from users u where u.id = any(array[n.user_id, coalesce(d.user_id, n.user_id)]))
        or (n.subject_id = any($1::bigint[]) and n.subject_type in ('kpi_evaluation', 'probation_review')
            and n.user_id <> all($2::bigint[])
            and n.user_id is distinct from (select user_id from employees where id = $3))`,
    [[evaluation, review], [boss, ...staff.map(([one]) => one)].map(({ user_id }) => user_id), id],
  );
  expect(rows, notified.join(', ')).toEqual([]);
}

const pdf = { name: 'sheet.pdf', content: '%PDF-1.7\n%%EOF\n' };
const signature = { method: 'typed', typed_name: 'A Signature' };
const why = 'As it was seen by all of us.';
const written = { performance_rating: 4, comments: why, recommendation: 'confirm', signature };
const scores = async (user: number, id: number, field: string) => {
  const { items } = (await (await clientOf(user)).get(`/api/kpi-evaluations/${id}`)).body.data;
  return { items: items.map((item: { id: number }) => ({ id: item.id, [field]: 4 })) };
};

type Act = { at: string; body: object; by?: 'put' | 'upload' };
/** How the test does each task. */
const acts: Readonly<Record<string, (task: Task, random: Random) => Promise<Act> | Act>> = {
  kpi_self_assessment: async ({ user, subject }) => ({
    at: 'self-assessment',
    body: await scores(user, subject.id, 'self_score'),
  }),
  kpi_manager_review: async ({ user, subject }) => ({
    at: 'manager-review',
    body: await scores(user, subject.id, 'manager_score'),
  }),
  kpi_hr_review: () => ({ at: 'hr-review', body: { hr_comment: 'Fine.', performance_flag: 'standard' } }),
  kpi_acceptance: (_task, random) =>
    random.chance(0.5) ? { at: 'accept', body: {} } : { at: 'dispute', body: { reason: why } },
  kpi_record_answer: (_task, random) => ({
    at: 'record-answer',
    by: 'upload',
    body: {
      talked_on: dayFromNow(0),
      ...(random.chance(0.5) ? { outcome: 'accepted' } : { outcome: 'disputed', reason: why }),
    },
  }),
  kpi_dispute: async ({ user, subject }, random) => {
    const { dispute_returned } = (await (await clientOf(user)).get(`/api/kpi-evaluations/${subject.id}`)).body.data;
    const result = dispute_returned || random.chance(0.5) ? 'maintained' : 'returned';
    return { at: 'resolve-dispute', body: { result, resolution: why } };
  },
  kpi_close: () => ({ at: 'close', body: {} }),
  kpi_missing_reviewer: () => ({ at: 'reviewer', by: 'put', body: { reviewer_id: second.id } }),
  probation_review_assigned: () => ({ at: 'submit', body: written }),
  probation_review_action_required: () => ({ at: 'submit', body: written }),
  probation_review_approval: (_task, random) =>
    random.chance(0.3)
      ? { at: 'send-back', body: { reason: why } }
      : { at: 'approve', body: { outcome: 'confirm', signature } },
  probation_acknowledge: () => ({ at: 'acknowledge', body: { comment: 'Read.' } }),
  probation_record_acknowledgement: () => ({
    at: 'record-acknowledgement',
    by: 'upload',
    body: { talked_on: dayFromNow(0), comment: 'Read.' },
  }),
  probation_missing_reviewer: () => ({ at: 'reviewer', by: 'put', body: { reviewer_id: second.id } }),
};

/** One of the assignees of a task does it, which must succeed. */
async function doTask(life: Life): Promise<void> {
  const tasks = await tasksAbout(life);
  if (tasks.length === 0) return;
  const task = life.random.pick(tasks);
  const act = await (acts[task.kind] ?? expect.fail(task.kind))(task, life.random);
  life.notified.push(`${task.party} ${act.at}`);
  const { type, id } = task.subject;
  const url = `/api/${type === 'kpi_evaluation' ? 'kpi-evaluations' : 'probation-reviews'}/${id}/${act.at}`;
  const client = await clientOf(task.user);
  const answer =
    act.by === 'upload'
      ? await client.upload(url, pdf, act.body as Record<string, string>)
      : act.by === 'put'
        ? await client.put(url, act.body)
        : await client.post(url, act.body);
  expect([answer.status, JSON.stringify(answer.body), life.notified.join(', ')]).toEqual([
    200,
    expect.anything(),
    expect.anything(),
  ]);
}

let addresses = 0;
/** HR sets or clears an address; after the first sign-in of the person, clearing it is refused. */
async function changeAddress(life: Life): Promise<void> {
  const has = (await accountOf(life.id)) !== null;
  addresses += 1;
  const email = has ? null : `worker${addresses}@works.example`;
  const { status } = await (await clientOf(hr.user_id)).put(`/api/employees/${life.id}`, { email });
  life.notified.push(`${has ? 'no address' : 'address'} ${status}`);
  expect(has ? [200, 422] : [200]).toContain(status);
}

async function toggleForeman({ notified }: Life): Promise<void> {
  notified.push('the foreman is away or back');
  await owner.query(
    `update employees set activity_status = case when activity_status = 'active' then 'inactive' else 'active' end
     where id = $1`,
    [foreman.id],
  );
  clients.delete(foreman.user_id);
}

async function runClock({ notified }: Life): Promise<void> {
  notified.push('clock');
  for (const job of [skipSelfAssessments, remindDue, remindOfEndings]) await job({ deps, now: Temporal.Now.instant() });
}

async function begin(seed: number): Promise<Life> {
  const random = randomOf(seed);
  const fields = {
    department_id: hall.id,
    employment_lifecycle: 'probationary' as const,
    probation_start_date: dayFromNow(-60),
    probation_end_date: dayFromNow(30),
    joining_date: dayFromNow(-60),
  };
  const employee = (random.chance(0.7) ? await make.worker(fields) : await make.employee(fields)) as MadeEmployee;
  const cycle = await kpi.cycle({ status: 'published' });
  const { id: evaluation } = await kpi.evaluation({ cycle_id: cycle.id, employee, reviewer: foreman });
  const { id: review } = await probation.review({ employee, reviewer: foreman });
  return { id: employee.id, evaluation, review, random, notified: [] };
}

const steps = 26;
const seen = new Set<string>();
const seeds = Array.from({ length: 8 }, (_, place) => place + 1);

test.each(seeds)('one party can do each open step, and no one without an account is notified (%i)', async (seed) => {
  await owner.query("update employees set activity_status = 'active' where id = $1", [foreman.id]);
  clients.delete(foreman.user_id);
  const life = await begin(seed);
  const { random } = life;
  for (let step = 0; step < steps; step += 1) {
    const dice = random.between(1, 10);
    await (dice <= 6 ? doTask : dice <= 8 ? changeAddress : dice === 9 ? toggleForeman : runClock)(life);
    await expectOneParty(life);
    await expectNoneNotified(life);
  }
  for (const one of life.notified) seen.add(one);
  expect(life.notified.length).toBeGreaterThan(steps / 2);
});

test('the sequences contain the steps they are about', () => {
  for (const one of ['address 200', 'no address 200', 'no address 422']) expect(seen, one).toContain(one);
  for (const one of ['record-answer', 'record-acknowledgement', 'acknowledge'])
    expect(
      [...seen].filter((notified) => notified.endsWith(` ${one}`)),
      one,
    ).not.toEqual([]);
});

test('all of it could have happened', async () => {
  const { db } = connect({ url: database.ownerUrl, max: 2 });
  const broken = await brokenInvariants(db, deps.config.DATA_DIR);
  // the test creates the evaluations itself
  expect(broken.filter((line) => !line.startsWith('an evaluation was never published'))).toEqual([]);
  await db.destroy();
});
