import { recordAcknowledgement, recordAnswer } from './paper.ts';
import { extended } from './probation-days.ts';
import { attempt, note, rowsOf, succeed } from './world.ts';
import type { World } from './world.ts';

/** People do their tasks: what a task list offers must be possible. */

type Task = {
  kind: string;
  subject: { id: number };
  employee: { id: number } | null;
  allowed_actions: string[];
  due_date: string | null;
};
type Turn = { world: World; user: number; task: Task };
type Handler = (turn: Turn) => Promise<void>;

const reason = 'As it was agreed between all of them.';
const signature = { method: 'typed', typed_name: 'Signed by hand' };

const evaluation = ({ subject }: Task, step = '') => `/kpi-evaluations/${subject.id}${step}`;
const review = ({ subject }: Task, step = '') => `/probation-reviews/${subject.id}${step}`;
const act = ({ world, user }: Turn, url: string, body: object = {}) => succeed(world, 'post', { as: user, url, body });
const can = ({ task }: Turn, action: string) => task.allowed_actions.includes(action);

type Item = { id: number; item_type: string; direction: string | null };

/** A figure for each item of one side. */
async function answers({ world, user, task }: Turn, side: 'self' | 'manager') {
  const { data } = await succeed(world, 'get', { as: user, url: evaluation(task) });
  return (data.items as Item[]).map(({ id, item_type, direction }) => {
    const actual = direction === 'lower_better' ? world.random.between(6, 16) : world.random.between(40, 100);
    if (item_type === 'measured') return { id, [`${side}_actual_value`]: actual };
    if (world.random.chance(0.05)) return { id, not_applicable: true, [`${side}_comment`]: 'Not part of the job.' };
    return { id, [`${side}_score`]: world.random.between(1, 5) };
  });
}

async function selfAssessment(turn: Turn): Promise<void> {
  if (can(turn, 'self-assessment'))
    await act(turn, evaluation(turn.task, '/self-assessment'), { items: await answers(turn, 'self') });
  else if (can(turn, 'extension-request')) await act(turn, evaluation(turn.task, '/extension-request'), { reason });
}

async function managerReview(turn: Turn): Promise<void> {
  const { world, task } = turn;
  if (!can(turn, 'manager-review')) {
    if (can(turn, 'extension-request')) await act(turn, evaluation(task, '/extension-request'), { reason });
    return;
  }
  if (can(turn, 'return') && world.random.chance(0.03)) await act(turn, evaluation(task, '/return'), { reason });
  else await act(turn, evaluation(task, '/manager-review'), { items: await answers(turn, 'manager') });
}

async function answerResult(turn: Turn): Promise<void> {
  if (can(turn, 'dispute') && turn.world.random.chance(0.1))
    await act(turn, evaluation(turn.task, '/dispute'), { reason: 'The second item was not seen in full.' });
  else await act(turn, evaluation(turn.task, '/accept'));
}

async function resolveDispute(turn: Turn): Promise<void> {
  const { world, user, task } = turn;
  const { data } = await succeed(world, 'get', { as: user, url: evaluation(task) });
  const body = { resolution: 'We looked at all of it together.', items: [] as object[] };
  const [rated] = (data.items as (Item & { final_score: number | null })[]).filter(
    (item) => item.item_type === 'rating' && item.final_score !== null,
  );
  if (!data.dispute_returned && world.random.chance(0.2))
    await act(turn, evaluation(task, '/resolve-dispute'), { ...body, result: 'returned' });
  else if (rated && world.random.chance(0.5)) {
    const final_score = rated.final_score === 5 ? 4 : 5;
    const items = [{ id: rated.id, final_score, final_note: reason }];
    await act(turn, evaluation(task, '/resolve-dispute'), { ...body, result: 'modified', items });
  } else await act(turn, evaluation(task, '/resolve-dispute'), { ...body, result: 'maintained' });
}

/** A superior of the person who may review, else the chair; never the person or the current reviewer. */
async function reviewerFor({ world, task }: Turn, present?: number): Promise<number | undefined> {
  const rows = await rowsOf<{ id: number }>(
    world,
    `select m.id::int from superiors_of($1) as s (id) join employees m on m.id = s.id join users u on u.id = m.user_id
     where m.activity_status = 'active' and u.is_enabled and exists (
       select from role_assignments a join roles r on r.id = a.role_id
       where a.user_id = u.id and r.name in ('Manager', 'HR', 'Admin')) order by m.id desc`,
    task.employee?.id,
  );
  const able = [...rows.map(({ id }) => id), world.chair];
  return able.find((id) => id !== task.employee?.id && id !== present);
}

const assignReviewer =
  (at: typeof evaluation): Handler =>
  async (turn) => {
    const { world, user, task } = turn;
    const reviewer_id = await reviewerFor(turn);
    if (reviewer_id === undefined) return;
    await succeed(world, 'put', { as: user, url: at(task, '/reviewer'), body: { reviewer_id } });
  };

/** HR continues without the self-assessment, or reassigns or writes the review. */
async function timeOver(turn: Turn): Promise<void> {
  const { world, user, task } = turn;
  if (can(turn, 'skip-self-assessment'))
    return void (await act(turn, evaluation(task, '/skip-self-assessment'), { reason }));
  const { data } = await succeed(world, 'get', { as: user, url: evaluation(task) });
  const reviewer_id = await reviewerFor(turn, data.reviewer?.id);
  const assigns = reviewer_id !== undefined && (!can(turn, 'manager-review') || world.random.chance(0.3));
  const assign = () => attempt(world, 'put', { as: user, url: evaluation(task, '/reviewer'), body: { reviewer_id } });
  // the chair may be in a company that this HR user does not see
  if (assigns && (await assign()).status === 200) return;
  await act(turn, evaluation(task, '/manager-review'), { items: await answers(turn, 'manager') });
}

async function writeReview(turn: Turn): Promise<void> {
  const { world, user, task } = turn;
  if (!can(turn, 'submit')) return;
  const { data } = await succeed(world, 'get', { as: user, url: review(task) });
  const draw = world.random.between(1, 100);
  const recommendation = draw <= 75 ? 'confirm' : draw <= 92 ? 'extend' : 'terminate';
  const written = {
    performance_rating: world.random.between(2, 5),
    comments: 'As it was seen by all of us.',
    signature,
  };
  const recommended = { recommendation, extension_months: recommendation === 'extend' ? 1 : null };
  const send = (body: object) =>
    attempt(world, 'post', { as: user, url: review(task, '/submit'), body: { ...written, ...body } });
  const first = await send(data.milestone === 'final' ? recommended : {});
  // the probation may have no extension left, or have ended long ago
  if (first.status === 422 && recommendation === 'extend')
    await act(turn, review(task, '/submit'), { ...written, recommendation: 'confirm', extension_months: null });
  else if (first.status !== 200) throw new Error(`day ${world.day}: ${JSON.stringify([task, first.body])}`);
}

async function decide(turn: Turn): Promise<void> {
  const { world, user, task } = turn;
  if (can(turn, 'share')) return void (await act(turn, review(task, '/share'), { hr_comments: reason }));
  if (!can(turn, 'approve')) return;
  if (world.random.chance(0.08)) return void (await act(turn, review(task, '/send-back'), { reason }));
  const { data } = await succeed(world, 'get', { as: user, url: review(task) });
  const { recommendation: outcome, extension_months: months, employee_id: id } = data;
  const answer = await attempt(world, 'post', {
    as: user,
    url: review(task, '/approve'),
    body: { outcome, ...(months && { outcome_extension_months: months }), hr_comments: reason, signature },
  });
  if (answer.status === 422 && outcome === 'extend')
    return void (await act(turn, review(task, '/send-back'), { reason: 'Too late for an extension.' }));
  if (answer.status !== 200) throw new Error(`day ${world.day}: ${JSON.stringify([task, answer.body])}`);
  const probation = world.probations.get(id);
  if (probation && outcome === 'extend') world.probations.set(id, extended(probation, months));
  note(world, `the probation of ${id}: ${outcome} ${months ?? ''}`);
}

/** Reassigns what the company's HR may: to the leaver's manager, else to a head of the company. */
async function handOver(turn: Turn): Promise<void> {
  const { world, user, task } = turn;
  const { id } = task.subject;
  const { data } = await succeed(world, 'get', { as: user, url: `/employees/${id}/responsibilities?per_page=100` });
  const items = (data as { kind: string; id: number }[]).map(({ kind, id: item }) => ({ kind, id: item }));
  if (items.length === 0) throw new Error(`day ${world.day}: ${user} has nothing of ${id} to hand over`);
  const [found] = await rowsOf<{ id: number }>(
    world,
    `select m.id::int from employees e join employees m on m.id <> e.id and m.entity_id = e.entity_id
     where e.id = $1 and m.activity_status = 'active' and m.employment_lifecycle in ('probationary', 'confirmed')
       and (m.id = e.reporting_manager_id or m.id in (select d.manager_id from departments d))
     order by m.id <> e.reporting_manager_id, m.id limit 1`,
    id,
  );
  const body = { reassign_to: found?.id, items };
  await succeed(world, 'post', { as: user, url: `/employees/${id}/reassign`, body });
  note(world, `what ${id} is responsible for goes to ${found?.id}`);
}

async function decideMove({ world, user, task }: Turn): Promise<void> {
  const { data } = await succeed(world, 'get', { as: user, url: evaluation(task) });
  const decision = world.random.chance(0.5) ? 'stay' : 'switch';
  const url = `/kpi-cycles/${data.cycle.id}/moves`;
  const body = { evaluation_id: task.subject.id, decision, reason };
  // the new department may have no template or reviewer
  await (decision === 'stay' ? succeed : attempt)(world, 'post', { as: user, url, body });
  note(world, `${decision} after the move of ${task.employee?.id}`);
}

/** Each person the task is about is listed, and added or excluded; sometimes an exclusion is undone. */
async function decideNewcomers(turn: Turn): Promise<void> {
  const { world, user, task } = turn;
  const url = `/kpi-cycles/${task.subject.id}`;
  const { data } = await succeed(world, 'get', { as: user, url: `${url}/newly-eligible?per_page=100` });
  const ids = (data as { employee: { id: number } }[]).map(({ employee }) => employee.id);
  const [me] = await rowsOf<{ id: number }>(world, 'select id::int from employees where user_id = $1', user);
  const excluded = ids.filter((id) => id !== me?.id && world.random.chance(0.3));
  const added = ids.filter((id) => !excluded.includes(id));
  const refusals: object[] = [];
  const send = async (step: string, employee_ids: number[], body: object) => {
    if (employee_ids.length === 0) return;
    const answer = await act(turn, `${url}/${step}`, { employee_ids, ...body });
    if (answer.data.counts.refused > 0) refusals.push(answer.data);
  };
  await send('people', added, { allow_missing_reviewer: true });
  await send('left-out', excluded, { reason });
  if (ids.length === 0 || refusals.length > 0)
    throw new Error(`day ${world.day}: ${user} cannot do ${JSON.stringify([task, ids, refusals])}`);
  const [first] = excluded;
  if (first !== undefined && world.random.chance(0.3))
    await succeed(world, 'delete', { as: user, url: `${url}/left-out/${first}` });
  note(world, `newly eligible in cycle ${task.subject.id}: ${added.join()} added, ${excluded.join()} excluded`);
}

const handlers: Record<string, Handler> = {
  kpi_self_assessment: selfAssessment,
  kpi_manager_review: managerReview,
  kpi_acceptance: answerResult,
  kpi_record_answer: recordAnswer,
  probation_record_acknowledgement: recordAcknowledgement,
  kpi_dispute: resolveDispute,
  kpi_extension_decision: async (turn) => {
    const { world, user, task } = turn;
    const url = evaluation(task, '/extension-decision');
    const granted = { decision: 'approved', until: world.soon, note: reason };
    if (world.random.chance(0.7) && (await attempt(world, 'post', { as: user, url, body: granted })).status === 200)
      return;
    // even if the day is beyond the time for the next step
    await act(turn, url, { decision: 'rejected', until: null, note: reason });
  },
  kpi_time_over: timeOver,
  kpi_missing_reviewer: assignReviewer(evaluation),
  kpi_move: decideMove,
  kpi_newly_eligible: decideNewcomers,
  probation_missing_reviewer: assignReviewer(review),
  probation_review_assigned: writeReview,
  probation_review_action_required: writeReview,
  probation_review_approval: decide,
  probation_acknowledge: (turn) => act(turn, review(turn.task, '/acknowledge'), { comment: 'Thank you.' }),
  probation_review_missing: async ({ world, user, task }) => {
    const body = { employee_id: task.subject.id };
    await succeed(world, 'post', { as: user, url: '/probation-reviews', body });
  },
  employee_offboarding: handOver,
};

/** HR releases and completes all its evaluations together. */
async function inBulk(world: World, user: number, tasks: readonly Task[], kind: 'hr-review' | 'close'): Promise<void> {
  const ids = tasks.map(({ subject }) => subject.id);
  if (ids.length === 0) return;
  const body = { kind, ids, ...(kind === 'hr-review' && { hr_comment: 'Consistent with the others.' }) };
  const { data } = await succeed(world, 'post', { as: user, url: '/kpi-evaluations/bulk', body });
  for (const { id, outcome, reason: why } of data.rows as { id: number; outcome: string; reason: string }[]) {
    if (outcome === 'changed') continue;
    // the flag of an earlier release may differ from the one suggested after a dispute, so HR handles it alone
    if (!why.includes('flag differs')) throw new Error(`day ${world.day}: ${kind} of ${id} by ${user}: ${why}`);
    const { data: now } = await succeed(world, 'get', { as: user, url: `/kpi-evaluations/${id}` });
    await succeed(world, 'post', {
      as: user,
      url: `/kpi-evaluations/${id}/hr-review`,
      body: { hr_comment: reason, performance_flag: now.suggested_flag },
    });
  }
}

/** A user opens the list and does part of it. */
export async function doTasks(world: World, user: number, eagerness: number): Promise<void> {
  const { data } = await succeed(world, 'get', { as: user, url: '/actionable-items?per_page=100' });
  const chosen = (data as Task[]).filter(() => world.random.chance(eagerness));
  await inBulk(
    world,
    user,
    chosen.filter(({ kind }) => kind === 'kpi_hr_review'),
    'hr-review',
  );
  await inBulk(
    world,
    user,
    chosen.filter(({ kind }) => kind === 'kpi_close'),
    'close',
  );
  for (const task of chosen) await handlers[task.kind]?.({ world, user, task });
}

/** Accounts of people with open tasks. */
export const peopleWithTasks = (world: World) =>
  rowsOf<{ user_id: number }>(
    world,
    `select distinct e.user_id::int from employees e join users u on u.id = e.user_id and u.is_enabled
     where e.activity_status = 'active' and (
       exists (select from kpi_evaluations v where v.employee_id = e.id
               and v.status in ('self_assessment', 'pending_acceptance'))
       or exists (select from kpi_evaluations v where v.reviewer_id = e.id and v.status = 'manager_review')
       or exists (select from probation_reviews v where v.reviewer_id = e.id and v.status in ('pending', 'sent_back'))
       or exists (select from absences a where a.deputy_id = e.id)
       or exists (select from probation_reviews v where v.employee_id = e.id and v.status = 'approved'
                  and v.employee_acknowledged_at is null)) order by 1`,
  );
