import { describe, expect, test } from 'vitest';
import { startApp } from '../../testing/app.ts';
import { evaluationTesting, sorted } from '../../testing/evaluations.ts';
import { dayFromNow, kpiMaker } from '../../testing/make-kpi.ts';
import { finishCycle } from './bulk-transitions.ts';

const app = await startApp();
const { as, make, owner, deps } = app;
const kpi = kpiMaker(app);
const { rowOf, itemsOf, historyOf, notificationsOf, snapshotsOf, unchanged } = evaluationTesting(app);

const reviewer = await make.employee({ roles: ['Manager'] });
const hr = await make.employee({ roles: ['HR'] });
const person = await make.employee();
const [subject, asReviewer, asHr] = [await as(person.user_id), await as(reviewer.user_id), await as(hr.user_id)];
type Fields = Parameters<typeof kpi.evaluation>[0];
type Status = NonNullable<NonNullable<Fields>['status']>;
const made = (status: Status, fields: Fields = {}) => kpi.evaluation({ employee: person, reviewer, ...fields, status });
const path = (id: number, step = '') => `/api/kpi-evaluations/${id}${step && `/${step}`}`;
const because = { reason: 'The project was stopped.' };
const open = ['self_assessment', 'manager_review', 'hr_review', 'pending_acceptance', 'accepted', 'disputed'] as const;
const both = (event: string) => [
  [event, 'own', person.user_id],
  [event, 'plain', reviewer.user_id],
];

describe('by force', () => {
  test.each(['accepted', 'disputed'] as const)('HR completes what is %s', async (status) => {
    const { id } = await made(status);
    const answer = await asHr.post(path(id, 'force-close'), because);
    expect(answer.body.data).toMatchObject({
      status: 'completed',
      close_reason: because.reason,
      closed_by: { user_id: hr.user_id },
      completed_at: expect.any(String),
    });
    expect(await historyOf(id)).toEqual([['force-close', status, 'completed', because.reason, 1, hr.user_id]]);
    const notified = both('kpi_evaluation_completed');
    expect(sorted(await notificationsOf(id))).toEqual(status === 'disputed' ? notified : notified.slice(0, 1));
  });

  test('HR completes nothing without an answer', async () => {
    for (const status of open.slice(0, 4)) {
      const { id } = await made(status);
      await unchanged(id, async () => {
        expect((await asHr.post(path(id, 'force-close'), because)).status).toBe(422);
      });
    }
  });

  test.each(open)('HR cancels what is in %s and brings it back there', async (status) => {
    const { id } = await made(status);
    await unchanged(id, async () => {
      expect((await asHr.post(path(id, 'cancel'), {})).body.errors.reason).toBeDefined();
      expect((await asReviewer.post(path(id, 'cancel'), because)).status).toBe(403);
    });
    const cancelled = await asHr.post(path(id, 'cancel'), because);
    expect(cancelled.body.data).toMatchObject({
      status: 'cancelled',
      cancelled_from: status,
      cancel_reason: because.reason,
      due_on: null,
    });
    expect(sorted(await notificationsOf(id))).toEqual(both('kpi_evaluation_cancelled'));
    await unchanged(id, async () => {
      expect((await asHr.post(path(id, 'cancel'), because)).body).toMatchObject({
        errors: { status: ['This evaluation is cancelled.'] },
        status: 'cancelled',
      });
    });
    const restored = await asHr.post(path(id, 'restore'), because);
    expect(restored.body.data).toMatchObject({ status, reopen_reason: because.reason, round: 1 });
    expect(sorted((await notificationsOf(id)).slice(2))).toEqual(both('kpi_evaluation_reopened'));
    expect((await historyOf(id)).map(([action, from, to]) => [action, from, to])).toEqual([
      ['cancel', status, 'cancelled'],
      ['restore', 'cancelled', status],
    ]);
  });

  test('what is brought back goes by the windows and the people of that day', async () => {
    const cycle = await kpi.cycle();
    const leaver = await make.employee({ roles: ['Manager'] });
    const { id } = await made('manager_review', { cycle_id: cycle.id, reviewer: leaver });
    expect((await asHr.post(path(id, 'cancel'), because)).status).toBe(200);
    const manager_review_closes_on = dayFromNow(40);
    expect((await asHr.put(`/api/kpi-cycles/${cycle.id}`, { manager_review_closes_on })).status).toBe(200);
    expect((await asHr.post(`/api/employees/${leaver.id}/deactivate`, because)).status).toBe(200);
    const waits = async () =>
      (await asHr.get('/api/actionable-items?kind=kpi_missing_reviewer&per_page=100')).body.data.filter(
        ({ subject }: { subject: { id: number } }) => subject.id === id,
      ).length as number;
    expect(await waits()).toBe(0);
    const { body } = await asHr.post(path(id, 'restore'), because);
    expect(body.data).toMatchObject({
      status: 'manager_review',
      due_on: manager_review_closes_on,
      cancelled_from: 'manager_review',
    });
    expect(await waits()).toBe(1);
    expect((await asHr.put(path(id, 'reviewer'), { reviewer_id: reviewer.id })).status).toBe(200);
    expect(await waits()).toBe(0);
  });

  test('a second time is notified again', async () => {
    const { id } = await made('manager_review');
    for (const step of ['cancel', 'restore', 'cancel', 'restore'])
      expect((await asHr.post(path(id, step), because)).status).toBe(200);
    expect(await notificationsOf(id)).toHaveLength(8);
  });

  test('a pending request for more time ends with the step', async () => {
    const cycle = await kpi.cycle({ self_assessment_closes_on: dayFromNow(-1) });
    const { id } = await made('self_assessment', { cycle_id: cycle.id });
    expect((await subject.post(path(id, 'extension-request'), because)).status).toBe(200);
    expect((await asHr.post(path(id, 'cancel'), because)).status).toBe(200);
    expect((await asHr.post(path(id, 'restore'), because)).body.data.extension).toBeNull();
    expect(await rowOf(id)).toMatchObject({ extension_status: null, extension_requests: 1 });
  });
});

describe('what was completed', () => {
  test('goes back to HR, loses its final scores and has to be accepted anew', async () => {
    const { id, items } = await made('disputed');
    const modified = { result: 'modified', resolution: 'The third item was better.' };
    const sent = [{ id: items[2]?.id, final_score: 5, final_note: 'Seen now' }];
    expect((await asHr.post(path(id, 'resolve-dispute'), { ...modified, items: sent })).status).toBe(200);
    const answer = await asHr.post(path(id, 'reopen'), because);
    expect(answer.body.data).toMatchObject({
      status: 'hr_review',
      round: 2,
      overall_score: 4,
      completed_at: null,
      hr_submitted_at: null,
      acceptance_due_on: null,
      acceptance_mode: null,
    });
    expect((await itemsOf(id)).map(({ final_score }) => final_score)).toEqual([null, null, null]);
    expect((await snapshotsOf(id)).at(-1)).toMatchObject({
      overall_score: 4.6,
      overall_percentage: 92,
      performance_flag: 'hipo',
      items: [{}, {}, { final_score: 5, manager_score: 3 }],
    });
    expect(sorted((await notificationsOf(id)).filter(([event]) => event === 'kpi_evaluation_reopened'))).toEqual(
      both('kpi_evaluation_reopened'),
    );
    expect((await subject.get(path(id))).body.data.overall_score).toBeUndefined();
    const verdict = { hr_comment: 'Now it is right.', performance_flag: 'standard' };
    expect((await asHr.post(path(id, 'hr-review'), verdict)).body.data.acceptance_due_on).toBe(dayFromNow(7));
  });

  test('stays as it is for a person who left, unless it was cancelled', async () => {
    const leaver = await make.employee();
    const { id } = await made('cancelled', { employee: leaver, cancelled_from: 'manager_review' });
    await owner.query("update employees set activity_status = 'inactive' where id = $1", [leaver.id]);
    await unchanged(id, async () => {
      expect((await asHr.post(path(id, 'restore'), because)).body.errors.status).toEqual([
        'This person is no longer active.',
      ]);
    });
    const done = await made('completed', { employee: leaver });
    expect((await asHr.post(path(done.id, 'reopen'), because)).status).toBe(200);
  });
});

test('in a closed cycle no form is saved, even if still open', async () => {
  const cycle = await kpi.cycle();
  const bodies = {
    'self-assessment': {},
    'skip-self-assessment': because,
    reviewer: { reviewer_id: hr.id },
    cancel: because,
  };
  const self = await made('self_assessment', { cycle_id: cycle.id });
  await owner.query("update kpi_cycles set status = 'closed', closed_at = now() where id = $1", [cycle.id]);
  const closed = ['The cycle of this evaluation is closed.'];
  await unchanged(self.id, async () => {
    expect((await subject.put(path(self.id), { self_comment: 'Late' })).body.errors.status).toEqual(closed);
    for (const [step, body] of Object.entries(bodies)) {
      const client = step === 'self-assessment' ? subject : asHr;
      const answer = await client.send(step === 'reviewer' ? 'PUT' : 'POST', path(self.id, step), { body });
      expect([step, answer.status, answer.body.errors.status]).toEqual([step, 422, closed]);
    }
    for (const client of [subject, asReviewer, asHr])
      expect((await client.get(path(self.id))).body.data?.allowed_actions ?? []).toEqual([]);
  });
  const done = await made('completed', { cycle_id: cycle.id, employee: await make.employee() });
  await unchanged(done.id, async () => {
    expect((await asHr.post(path(done.id, 'reopen'), because)).body.errors.status).toEqual(closed);
  });
});

test('a cycle that is settled completes what has a result and cancels what has none, in few statements', async () => {
  const cycle = await kpi.cycle();
  const people = await Promise.all([...open, 'completed', 'cancelled'].map(() => make.employee()));
  const ids: number[] = [];
  for (const [index, status] of ([...open, 'completed', 'cancelled'] as const).entries())
    ids.push((await made(status, { cycle_id: cycle.id, employee: people[index] as (typeof people)[0] })).id);
  const acting = { db: deps.db, actor: { user_id: hr.user_id, name: 'Hana Ito' } };
  expect(await finishCycle(acting, cycle.id, because.reason)).toEqual({ completed: 3, cancelled: 3 });
  const rows = await Promise.all(ids.map(rowOf));
  expect(rows.map(({ status, close_reason, cancelled_from }) => [status, close_reason, cancelled_from])).toEqual([
    ['cancelled', null, 'self_assessment'],
    ['cancelled', null, 'manager_review'],
    ['cancelled', null, 'hr_review'],
    ['completed', because.reason, null],
    ['completed', because.reason, null],
    ['completed', because.reason, null],
    ['completed', null, null],
    ['cancelled', null, 'self_assessment'],
  ]);
  expect(await historyOf(ids[3] as number)).toEqual([
    ['force-close', 'pending_acceptance', 'completed', because.reason, 1, hr.user_id],
  ]);
  const { rows: audited } = await owner.query(
    `select action, count(*)::int as n from audit_log where subject_type = 'kpi_evaluation'
     and subject_id = any($1) group by 1 order by 1`,
    [ids],
  );
  expect(audited).toEqual([
    { action: 'kpi_evaluation.cancel', n: 3 },
    { action: 'kpi_evaluation.force-close', n: 3 },
  ]);
  expect(await finishCycle(acting, cycle.id, because.reason)).toEqual({ completed: 0, cancelled: 0 });
});

describe('at the same moment', () => {
  const statuses = (answers: { status: number }[]) => sorted(answers.map(({ status }) => status));

  test('of accepting and cancelling one happens', async () => {
    for (let round = 0; round < 3; round += 1) {
      const { id, revision } = await made('pending_acceptance');
      const answers = await Promise.all([
        subject.post(path(id, 'accept'), { revision }),
        asHr.post(path(id, 'cancel'), { ...because, revision }),
      ]);
      expect(statuses(answers)).toEqual([200, 422]);
      const loser = answers.find(({ status }) => status === 422)?.body;
      const { status, revision: now } = await rowOf(id);
      expect([loser.status, loser.revision]).toEqual([status, now]);
      expect(await historyOf(id)).toHaveLength(1);
    }
  });

  test('of accepting and disputing one happens', async () => {
    const { id } = await made('pending_acceptance');
    const answers = await Promise.all([
      subject.post(path(id, 'accept')),
      subject.post(path(id, 'dispute'), { reason: 'That is not what happened.' }),
    ]);
    expect(statuses(answers)).toEqual([200, 422]);
  });

  test('a result that HR opens again cannot be accepted on its old form', async () => {
    const { id, revision } = await made('completed');
    const answers = await Promise.all([
      asHr.post(path(id, 'reopen'), because),
      subject.post(path(id, 'accept'), { revision }),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([200, 422]);
    expect(await rowOf(id)).toMatchObject({ status: 'hr_review', responded_at: null });
  });

  test('submitting and reassigning the evaluation end in one order or the other', async () => {
    const other = await make.employee({ roles: ['Manager'] });
    const { id, items } = await made('manager_review');
    const scores = items.map((item) => ({ id: item.id, manager_score: 4 }));
    const answers = await Promise.all([
      asReviewer.post(path(id, 'manager-review'), { items: scores }),
      asHr.put(path(id, 'reviewer'), { reviewer_id: other.id }),
    ]);
    const [submitted, changed] = answers.map(({ status }) => status);
    expect([
      [200, 422],
      [404, 200],
    ]).toContainEqual([submitted, changed]);
    expect((await rowOf(id))['status']).toBe(submitted === 200 ? 'hr_review' : 'manager_review');
  });

  test('a cycle that is being closed lets nothing be opened again', async () => {
    const cycle = await kpi.cycle();
    const { id } = await made('completed', { cycle_id: cycle.id, employee: await make.employee() });
    const closing = await owner.connect();
    await closing.query('begin');
    await closing.query("update kpi_cycles set status = 'closed', closed_at = now() where id = $1", [cycle.id]);
    const waiting = asHr.post(path(id, 'reopen'), because);
    await new Promise((resolve) => setTimeout(resolve, 50));
    await closing.query('commit');
    closing.release();
    expect((await waiting).body.errors.status).toEqual(['The cycle of this evaluation is closed.']);
    expect(await rowOf(id)).toMatchObject({ status: 'completed' });
  });
});
