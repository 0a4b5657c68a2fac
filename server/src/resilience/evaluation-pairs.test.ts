import { expect, test } from 'vitest';
import { acceptLapsedResults } from '../features/kpi-evaluations/scheduled-steps.ts';
import { startApp } from '../testing/app.ts';
import type { Answer, Client } from '../testing/client.ts';
import { evaluationTesting, sorted } from '../testing/evaluations.ts';
import { dayFromNow, kpiMaker } from '../testing/make-kpi.ts';

// conflicting steps of evaluations, sent to two processes at the same moment: exactly one takes effect
const one = await startApp();
const two = await startApp({}, { beside: one });
const { make, owner, deps } = one;
const kpi = kpiMaker(one);
const { rowOf, historyOf, notificationsOf } = evaluationTesting(one);
const rounds = 4;

const entity = await make.entity();
const hr = await make.employee({ entity_id: entity.id, roles: ['HR'] });
const root = await make.admin();
const [here, there] = [await one.as(hr.user_id), await two.as(root.user_id)];
const because = { reason: 'Agreed with everybody.' };
type Fields = NonNullable<Parameters<typeof kpi.evaluation>[0]>;
const path = (id: number, step: string) => `/api/kpi-evaluations/${id}/${step}`;

async function made(fields: Fields = {}) {
  const employee = await make.employee({ entity_id: entity.id });
  const reviewer = await make.employee({ entity_id: entity.id, roles: ['Manager'] });
  const evaluation = await kpi.evaluation({ employee, reviewer, ...fields });
  const scores = evaluation.items.map(({ id }) => ({ id, self_score: 4, manager_score: 4 }));
  return { ...evaluation, employee, reviewer, scores };
}
type Made = Awaited<ReturnType<typeof made>>;

/** Sends both steps in parallel; each one is sent first in half of the rounds. */
async function race(round: number, first: () => Promise<Answer>, second: () => Promise<Answer>) {
  const answers =
    round % 2 ? await Promise.all([first(), second()]) : (await Promise.all([second(), first()])).toReversed();
  return answers.map(({ status }) => status);
}

/** The history has one entry, whose end state is the evaluation's. */
async function expectOneStep({ id, revision }: Made) {
  const trail = await historyOf(id);
  expect(trail).toHaveLength(1);
  expect(await rowOf(id)).toMatchObject({ status: trail[0]?.[2], revision: revision + 1 });
}

test.each<
  [string, NonNullable<Fields['status']>, (it: Made, client: Client) => Promise<Answer>, (it: Made) => Promise<Answer>]
>([
  [
    'handing in and going on without it',
    'self_assessment',
    ({ id, scores }, client) =>
      client.post(path(id, 'self-assessment'), { items: scores.map(({ manager_score: _other, ...own }) => own) }),
    ({ id }) => there.post(path(id, 'skip-self-assessment'), because),
  ],
  [
    'accepting and cancelling',
    'pending_acceptance',
    ({ id }, client) => client.post(path(id, 'accept')),
    ({ id, revision }) => there.post(path(id, 'cancel'), { ...because, revision }),
  ],
  [
    'finishing the review of HR and sending it back',
    'hr_review',
    ({ id }) => here.post(path(id, 'hr-review'), { hr_comment: 'Fine.', performance_flag: 'standard' }),
    ({ id }) => there.post(path(id, 'return'), because),
  ],
  [
    'settling a dispute in two ways',
    'disputed',
    ({ id }) => here.post(path(id, 'resolve-dispute'), { result: 'maintained', resolution: 'It stays as it is.' }),
    ({ id }) => there.post(path(id, 'resolve-dispute'), { result: 'returned', resolution: 'Please look again.' }),
  ],
  [
    'completing one by one and by force',
    'accepted',
    ({ id }) => here.post(path(id, 'close')),
    ({ id }) => there.post(path(id, 'force-close'), because),
  ],
])('of %s exactly one takes effect', async (_name, status, first, second) => {
  for (let round = 0; round < rounds; round += 1) {
    const it = await made({ status });
    const client = await one.as(it.employee.user_id);
    const statuses = await race(
      round,
      () => first(it, client),
      () => second(it),
    );
    expect(sorted(statuses)).toEqual([200, 422]);
    await expectOneStep(it);
  }
});

test('a result is accepted by its subject or by the clock', async () => {
  for (let round = 0; round < rounds; round += 1) {
    const cycle = await kpi.cycle({ auto_accept: true });
    const it = await made({ status: 'pending_acceptance', cycle_id: cycle.id, acceptance_due_on: dayFromNow(-1) });
    for (const day of [-4, -1])
      await owner.query(
        `insert into notifications (user_id, event, severity, subject_type, subject_id, url, dedupe_key)
         values ($1, 'kpi_deadline_reminder', 'action', 'kpi_evaluation', $2, '/', $3)`,
        [it.employee.user_id, it.id, `kpi_deadline_reminder:${it.id}:1-acceptance-${dayFromNow(day)}`],
      );
    const client = await two.as(it.employee.user_id);
    const clock = () => acceptLapsedResults({ deps, now: Temporal.Now.instant() });
    const [answer, lapsed] = await Promise.all([client.post(path(it.id, 'accept')), clock()]);
    expect([answer.status, lapsed]).toEqual(lapsed === 1 ? [422, 1] : [200, 0]);
    expect(await rowOf(it.id)).toMatchObject({ acceptance_mode: lapsed === 1 ? 'deemed_job' : 'employee' });
    expect(await historyOf(it.id)).toHaveLength(1);
  }
});

test('a person made inactive while chosen as reviewer stays the reviewer of no evaluation', async () => {
  for (let round = 0; round < rounds; round += 1) {
    const it = await made({ status: 'manager_review' });
    const chosen = await make.employee({ entity_id: entity.id, roles: ['Manager'] });
    await race(
      round,
      () => here.put(path(it.id, 'reviewer'), { reviewer_id: chosen.id }),
      () => there.post(`/api/employees/${chosen.id}/deactivate`, because),
    );
    const { rows } = await owner.query(
      `select v.id from kpi_evaluations v join employees r on r.id = v.reviewer_id
       where v.id = $1 and (r.activity_status = 'active') <> (v.reviewer_missing_since is null)`,
      [it.id],
    );
    expect(rows).toEqual([]);
  }
});

test('submitting a review while reassigning it leaves it with one of the two reviewers', async () => {
  for (let round = 0; round < rounds; round += 1) {
    const it = await made({ status: 'manager_review' });
    const taker = await make.employee({ entity_id: entity.id, roles: ['Manager'] });
    const client = await two.as(it.reviewer.user_id);
    const items = it.scores.map(({ self_score: _other, ...own }) => own);
    const [submitted, handed] = await race(
      round,
      () => client.post(path(it.id, 'manager-review'), { items }),
      () =>
        here.post(`/api/employees/${it.reviewer.id}/separate`, {
          ...because,
          type: 'resigned',
          last_working_date: dayFromNow(20),
          reassign_to: taker.id,
        }),
    );
    expect(handed).toBe(200);
    expect([200, 403, 404]).toContain(submitted);
    const row = await rowOf(it.id);
    expect(row).toMatchObject({ reviewer_id: String(taker.id) });
    expect(row['status']).toBe(submitted === 200 ? 'hr_review' : 'manager_review');
  }
});

test('closing a cycle by force during a step of one of its evaluations leaves no evaluation open', async () => {
  for (let round = 0; round < rounds; round += 1) {
    const cycle = await kpi.cycle({ entity_id: entity.id });
    const it = await made({ status: 'pending_acceptance', cycle_id: cycle.id });
    const client = await one.as(it.employee.user_id);
    const [closed, accepted] = await race(
      round,
      () => there.post(`/api/kpi-cycles/${cycle.id}/close`, { force: true, ...because }),
      () => client.post(path(it.id, 'accept')),
    );
    expect(closed).toBe(200);
    expect([200, 422]).toContain(accepted);
    expect(await rowOf(it.id)).toMatchObject({
      status: 'completed',
      acceptance_mode: accepted === 200 ? 'employee' : null,
    });
    expect((await notificationsOf(it.id)).filter(([event]) => event === 'kpi_evaluation_completed')).toHaveLength(1);
  }
});
