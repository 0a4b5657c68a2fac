import { describe, expect, test } from 'vitest';
import { startApp } from '../../testing/app.ts';
import { evaluationTesting, sorted } from '../../testing/evaluations.ts';
import { dayFromNow, kpiMaker } from '../../testing/make-kpi.ts';

const app = await startApp();
const { as, make } = app;
const kpi = kpiMaker(app);
const { rowOf, itemsOf, historyOf, notificationsOf, snapshotsOf, unchanged } = evaluationTesting(app);

const reviewer = await make.employee({ roles: ['TeamLead'] });
const hr = await make.employee({ roles: ['HR'] });
const second = await make.employee({ roles: ['HR'] });
const person = await make.employee();
const [subject, asReviewer, asHr] = [await as(person.user_id), await as(reviewer.user_id), await as(hr.user_id)];
type Fields = Parameters<typeof kpi.evaluation>[0];
const made = (status: NonNullable<NonNullable<Fields>['status']>, fields: Fields = {}) =>
  kpi.evaluation({ employee: person, reviewer, ...fields, status });
const path = (id: number, step = '') => `/api/kpi-evaluations/${id}${step && `/${step}`}`;
const verdict = { hr_comment: 'Consistent with peers.', performance_flag: 'standard' };
const resolution = 'We looked at the second item again.';

describe('the review of HR', () => {
  test('is a draft until it is finished, and gives the result to the subject then', async () => {
    const { id, revision } = await made('hr_review');
    const draft = await asHr.put(path(id), { hr_comment: 'Thinking', performance_flag: 'hipo', revision });
    expect(draft.body.data).toMatchObject({ hr_comment: 'Thinking', performance_flag: 'hipo', revision: revision + 1 });
    expect((await subject.get(path(id))).body.data.hr_comment).toBeUndefined();
    await unchanged(id, async () => {
      expect((await asHr.put(path(id), { strengths: 'Other' })).body.errors.strengths).toBeDefined();
      expect((await asHr.put(path(id), { items: [{ id: 1, manager_score: 1 }] })).body.errors.items).toBeDefined();
      expect((await asReviewer.put(path(id), { strengths: 'Other' })).status).toBe(403);
    });
    const answer = await asHr.post(path(id, 'hr-review'), verdict);
    expect(answer.body.data).toMatchObject({
      status: 'pending_acceptance',
      acceptance_due_on: dayFromNow(7),
      due_on: dayFromNow(7),
      overall_score: 4,
      performance_flag: 'standard',
      hr_submitted_by: { user_id: hr.user_id },
    });
    expect((await itemsOf(id)).map(({ final_score }) => final_score)).toEqual([4, 5, 3]);
    expect(await historyOf(id)).toEqual([['hr-review', 'hr_review', 'pending_acceptance', null, 1, hr.user_id]]);
    expect(await notificationsOf(id)).toEqual([['kpi_hr_review_submitted', 'own', person.user_id]]);
    expect((await subject.get(path(id))).body.data).toMatchObject({
      hr_comment: verdict.hr_comment,
      allowed_actions: ['accept', 'dispute'],
    });
  });

  test('needs a reason for a flag that is not the suggested one', async () => {
    const { id } = await made('hr_review');
    const other = { ...verdict, performance_flag: 'hipo' };
    await unchanged(id, async () => {
      const answer = await asHr.post(path(id, 'hr-review'), other);
      expect(answer.body.errors).toEqual({ flag_reason: ['The reason for the flag field is required.'] });
      const missing = async (body: object) => Object.keys((await asHr.post(path(id, 'hr-review'), body)).body.errors);
      expect(await missing({})).toEqual(['performance_flag']);
      expect(await missing({ performance_flag: 'standard' })).toEqual(['hr_comment']);
    });
    const answer = await asHr.post(path(id, 'hr-review'), { ...other, flag_reason: 'Saved the launch' });
    expect(answer.body.data).toMatchObject({ suggested_flag: 'standard', performance_flag: 'hipo' });
  });

  test('goes by the acceptance days of the cycle; what does not apply has no final score', async () => {
    const cycle = await kpi.cycle({ acceptance_days: 20 });
    const answers = [{ manager_score: null, manager_not_applicable: true, manager_comment: 'None' }];
    const { id } = await made('hr_review', { cycle_id: cycle.id, answers });
    const answer = await asHr.post(path(id, 'hr-review'), verdict);
    expect(answer.body.data).toMatchObject({ acceptance_due_on: dayFromNow(20), overall_score: 4 });
    expect((await itemsOf(id)).map(({ final_score }) => final_score)).toEqual([null, 5, 3]);
  });
});

describe('the answer of the subject', () => {
  test('accepts, also late, once', async () => {
    const { id } = await made('pending_acceptance', { acceptance_due_on: dayFromNow(-2) });
    const answer = await subject.post(path(id, 'accept'));
    expect(answer.body.data).toMatchObject({ status: 'accepted', acceptance_mode: 'employee' });
    expect(await historyOf(id)).toEqual([['accept', 'pending_acceptance', 'accepted', null, 1, person.user_id]]);
    expect(sorted(await notificationsOf(id))).toEqual([
      ['kpi_evaluation_accepted', 'plain', hr.user_id],
      ['kpi_evaluation_accepted', 'plain', second.user_id],
    ]);
    await unchanged(id, async () => {
      const again = await subject.post(path(id, 'accept'));
      expect(again.body).toEqual({
        message: 'This evaluation is already accepted.',
        errors: { status: ['This evaluation is already accepted.'] },
        status: 'accepted',
        revision: answer.body.data.revision,
      });
    });
  });

  test('disputes in time, with a reason', async () => {
    const { id } = await made('pending_acceptance', { acceptance_due_on: dayFromNow(0) });
    const late = await made('pending_acceptance', { acceptance_due_on: dayFromNow(-1) });
    const reason = 'Item two was not seen in full.';
    await unchanged(id, async () => {
      expect((await subject.post(path(id, 'dispute'), { reason: 'No.' })).body.errors.reason).toBeDefined();
      expect((await subject.post(path(late.id, 'dispute'), { reason })).body.errors.status).toEqual([
        'The deadline to dispute the result has passed.',
      ]);
    });
    const answer = await subject.post(path(id, 'dispute'), { reason });
    expect(answer.body.data).toMatchObject({ status: 'disputed', dispute_reason: reason, due_on: dayFromNow(7) });
    expect(sorted((await notificationsOf(id)).map(([event, , user]) => [event, user]))).toEqual(
      sorted([reviewer, hr, second].map(({ user_id }) => ['kpi_evaluation_disputed', user_id])),
    );
  });

  test('may be left to HR when the time is over', async () => {
    const { id } = await made('pending_acceptance');
    const reason = 'On leave for months, agreed by phone.';
    await unchanged(id, async () => {
      expect((await asHr.post(path(id, 'deem-accepted'), { reason })).body.errors.status[0]).toContain(
        'still has time',
      );
    });
    const late = await made('pending_acceptance', { acceptance_due_on: dayFromNow(-1) });
    const answer = await asHr.post(path(late.id, 'deem-accepted'), { reason });
    expect(answer.body.data).toMatchObject({ status: 'accepted', acceptance_mode: 'deemed_hr', responded_at: null });
    expect(sorted(await notificationsOf(late.id))).toEqual([
      ['kpi_acceptance_lapsed', 'own', person.user_id],
      ['kpi_acceptance_lapsed', 'plain', second.user_id],
    ]);
  });
});

describe('a dispute', () => {
  const settle = (id: number, body: object, client = asHr) =>
    client.post(path(id, 'resolve-dispute'), { resolution, ...body });

  test('may leave the result as it is', async () => {
    const { id } = await made('disputed');
    const answer = await settle(id, { result: 'maintained' });
    expect(answer.body.data).toMatchObject({
      status: 'completed',
      overall_score: 4,
      dispute_result: 'maintained',
      dispute_resolution: resolution,
      dispute_resolved_by: { user_id: hr.user_id },
    });
    expect(await historyOf(id)).toEqual([['resolve-dispute', 'disputed', 'completed', resolution, 1, hr.user_id]]);
    expect(sorted(await notificationsOf(id))).toEqual([
      ['kpi_evaluation_completed', 'own', person.user_id],
      ['kpi_evaluation_completed', 'plain', reviewer.user_id],
    ]);
  });

  test('may change scores: figures and flags follow, the old result stays in the history', async () => {
    const { id, items } = await made('disputed');
    const final = { id: items[2]?.id, final_score: 5, final_note: 'Seen now' };
    await unchanged(id, async () => {
      const modify = async (...sent: object[]) =>
        Object.keys((await settle(id, { result: 'modified', items: sent })).body.errors);
      expect(await modify()).toEqual(['items']);
      expect(await modify({ ...final, final_score: 3 })).toEqual(['items']);
      expect(await modify({ ...final, final_score: 5.9 })).toEqual(['items.0.final_score']);
      expect(await modify({ ...final, final_note: null })).toEqual(['items.0.final_note']);
      expect(await modify({ ...final, id: 987_654_321 })).toEqual(['items.0.id']);
    });
    const answer = await settle(id, { result: 'modified', items: [final] });
    expect(answer.body.data).toMatchObject({
      status: 'completed',
      overall_score: 4.6,
      overall_percentage: 92,
      suggested_flag: 'hipo',
      performance_flag: 'hipo',
    });
    expect(answer.body.data.explain.result).toMatchObject({ score: 4.6, percentage: 92, suggested_flag: 'hipo' });
    expect(await itemsOf(id)).toMatchObject([{}, {}, { manager_score: 3, final_score: 5, final_note: 'Seen now' }]);
    expect(await snapshotsOf(id)).toMatchObject([
      { overall_score: 4, overall_percentage: 80, performance_flag: 'standard', items: [{}, {}, { final_score: 3 }] },
    ]);
    expect(sorted(await notificationsOf(id))).toEqual([
      ['kpi_evaluation_completed', 'modified', reviewer.user_id],
      ['kpi_evaluation_completed', 'own_modified', person.user_id],
    ]);
    const { body } = await subject.get('/api/notifications?sort_by=created_at&sort_direction=desc');
    expect(body.data[0].body).toContain('changed from 4 to 4.6');
  });

  test('keeps a flag that HR chose against the suggestion', async () => {
    const { id, items } = await made('disputed', { performance_flag: 'pip', flag_reason: 'Absent' });
    const sent = [{ id: items[2]?.id, final_score: 5, final_note: 'Seen now' }];
    const answer = await settle(id, { result: 'modified', items: sent });
    expect(answer.body.data).toMatchObject({ suggested_flag: 'hipo', performance_flag: 'pip' });
  });

  test('may send the review back once; the result has to be accepted anew', async () => {
    const { id } = await made('disputed');
    const answer = await settle(id, { result: 'returned' });
    expect(answer.body.data).toMatchObject({ status: 'manager_review', round: 2, dispute_returned: true });
    expect(await rowOf(id)).toMatchObject({
      overall_score: null,
      hr_submitted_at: null,
      responded_at: null,
      acceptance_due_on: null,
      dispute_result: 'returned',
    });
    expect((await itemsOf(id))[0]).toMatchObject({ manager_score: 4, final_score: null });
    expect(sorted(await notificationsOf(id))).toEqual([
      ['kpi_evaluation_returned', 'own_after_dispute', person.user_id],
      ['kpi_evaluation_returned', 'plain', reviewer.user_id],
    ]);
    expect((await asReviewer.post(path(id, 'manager-review'), {})).status).toBe(200);
    expect((await asHr.post(path(id, 'hr-review'), verdict)).status).toBe(200);
    expect((await subject.post(path(id, 'dispute'), { reason: 'Still not what happened.' })).status).toBe(200);
    expect(await rowOf(id)).toMatchObject({ dispute_result: null });
    await unchanged(id, async () => {
      const again = await settle(id, { result: 'returned' });
      expect(again.body.errors.status).toEqual(['A new review was already requested once after a dispute.']);
    });
  });

  test('sends the review back with at least the least days of the cycle where its window is over', async () => {
    const cycle = await kpi.cycle({ manager_review_closes_on: dayFromNow(-1), self_assessment_closes_on: null });
    const { id } = await made('disputed', { cycle_id: cycle.id });
    await unchanged(id, async () => {
      expect((await settle(id, { result: 'returned', until: dayFromNow(2) })).body.errors.until).toBeDefined();
    });
    const answer = await settle(id, { result: 'returned', until: dayFromNow(4) });
    expect(answer.body.data).toMatchObject({ stage_open_until: dayFromNow(4), due_on: dayFromNow(4) });
  });

  test('is not settled by who reviewed', async () => {
    const reviewing = await made('disputed', { reviewer: hr });
    const handed = await made('disputed', { manager_submitted_by: hr.user_id });
    for (const { id } of [reviewing, handed])
      await unchanged(id, async () => {
        expect((await settle(id, { result: 'maintained' })).status).toBe(403);
        expect((await asHr.get(path(id))).body.data.allowed_actions).not.toContain('resolve-dispute');
      });
    expect((await settle(handed.id, { result: 'maintained' }, await as(second.user_id))).status).toBe(200);
  });
});

test('an accepted result is completed by HR', async () => {
  const { id } = await made('accepted');
  const answer = await asHr.post(path(id, 'close'));
  expect(answer.body.data).toMatchObject({ status: 'completed', completed_at: expect.any(String), due_on: null });
  expect(await notificationsOf(id)).toEqual([['kpi_evaluation_completed', 'own', person.user_id]]);
});

test('many are completed at once; each that is not says why', async () => {
  const own = await kpi.evaluation({ employee: hr, status: 'accepted' });
  const closed = await kpi.cycle({ status: 'closed' });
  const [first, other, disputed, gone] = [
    await made('accepted'),
    await made('accepted'),
    await made('disputed'),
    await made('accepted', { cycle_id: closed.id }),
  ];
  const ids = [first, own, disputed, other, gone].map(({ id }) => id);
  await unchanged(disputed.id, async () => {
    expect((await asReviewer.post('/api/kpi-evaluations/bulk-close', { evaluation_ids: ids })).status).toBe(403);
    expect((await asHr.post('/api/kpi-evaluations/bulk-close', { evaluation_ids: [] })).status).toBe(422);
  });
  const answer = await asHr.post('/api/kpi-evaluations/bulk-close', {
    evaluation_ids: [...ids, first.id, 987_654_321],
  });
  expect(answer.body).toMatchObject({
    message: '2 evaluations completed, 4 couldn’t be completed.',
    data: {
      closed: [first.id, other.id],
      refused: [
        { id: own.id, reason: 'You can’t do this with your own evaluation.' },
        { id: disputed.id, reason: 'This evaluation is disputed.' },
        { id: gone.id, reason: 'The cycle of this evaluation is closed.' },
        { id: 987_654_321, reason: 'Not found.' },
      ],
    },
  });
  for (const { id } of [first, other]) {
    expect(await historyOf(id)).toEqual([['close', 'accepted', 'completed', null, 1, hr.user_id]]);
  }
  // one notification for both
  expect((await Promise.all([first, other].map(({ id }) => notificationsOf(id)))).flat()).toEqual([
    ['kpi_evaluation_completed', 'own_several', person.user_id],
  ]);
  expect(await rowOf(disputed.id)).toMatchObject({ status: 'disputed' });
});
