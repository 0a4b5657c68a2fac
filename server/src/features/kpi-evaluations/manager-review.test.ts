import { describe, expect, test } from 'vitest';
import { startApp } from '../../testing/app.ts';
import { evaluationTesting, sorted } from '../../testing/evaluations.ts';
import { dayFromNow, kpiMaker } from '../../testing/make-kpi.ts';

const app = await startApp();
const { as, make, owner } = app;
const kpi = kpiMaker(app);
const { rowOf, itemsOf, historyOf, notificationsOf, snapshotsOf, unchanged } = evaluationTesting(app);

const entity = await make.entity();
const reviewer = await make.employee({ entity_id: entity.id, roles: ['TeamLead'] });
const boss = await make.employee({ entity_id: entity.id, roles: ['Manager'] });
const hr = await make.employee({ entity_id: entity.id, roles: ['HR'] });
const person = await make.employee({ entity_id: entity.id, reporting_manager_id: boss.id });
const [subject, asReviewer, asBoss, asHr] = [
  await as(person.user_id),
  await as(reviewer.user_id),
  await as(boss.user_id),
  await as(hr.user_id),
];
type Fields = Parameters<typeof kpi.evaluation>[0];
const made = (fields: Fields = {}) =>
  kpi.evaluation({ employee: person, reviewer, status: 'manager_review', ...fields });
const path = (id: number, step = '') => `/api/kpi-evaluations/${id}${step && `/${step}`}`;
const scores = (items: { id: number }[], values = [4, 5, 3]) =>
  items.map(({ id }, index) => ({ id, manager_score: values[index] ?? 3 }));
const reason = 'Please say more about the second item.';
const late = () =>
  kpi.cycle({
    manager_review_opens_on: dayFromNow(-20),
    manager_review_closes_on: dayFromNow(-1),
    self_assessment_closes_on: dayFromNow(-5),
  });

describe('a review', () => {
  test('is a draft until it is handed in, and gives the result to HR then', async () => {
    const { id, items, revision } = await made();
    const draft = await asReviewer.put(path(id), {
      strengths: 'Negotiation',
      items: scores(items.slice(0, 2)),
      revision,
    });
    expect(draft.body.data).toMatchObject({ strengths: 'Negotiation', revision: revision + 1 });
    expect(JSON.stringify((await subject.get(path(id))).body)).not.toContain('Negotiation');
    const answer = await asReviewer.post(path(id, 'manager-review'), {
      manager_comment: 'Agreed.',
      items: [{ id: items[2]?.id, manager_score: 3, manager_comment: 'Some friction' }],
    });
    expect(answer.status).toBe(200);
    expect(answer.body.data).toMatchObject({
      status: 'hr_review',
      overall_score: 4,
      overall_percentage: 80,
      manager_submitted_by: { user_id: reviewer.user_id },
      allowed_actions: [],
    });
    expect(await rowOf(id)).toMatchObject({ suggested_flag: 'standard', overall_achievement_pct: null });
    expect((await itemsOf(id)).map(({ manager_not_applicable: one }) => one)).toEqual([false, false, false]);
    expect(await historyOf(id)).toEqual([['manager-review', 'manager_review', 'hr_review', null, 1, reviewer.user_id]]);
    expect(await notificationsOf(id)).toEqual([['kpi_manager_review_submitted', 'plain', hr.user_id]]);
    const seen = await subject.get(path(id));
    expect(seen.body.data.overall_score).toBeUndefined();
  });

  test('names every gap; what the subject left out has to be left out in words, or scored', async () => {
    const { id, items } = await made({
      answers: [{ self_score: null, self_not_applicable: true, self_comment: 'None' }],
    });
    await unchanged(id, async () => {
      const answer = await asReviewer.post(path(id, 'manager-review'), { items: scores(items).slice(1, 2) });
      expect(Object.keys(answer.body.errors)).toEqual(['items.0.manager_comment', 'items.2.manager_score']);
    });
    const [first, ...others] = scores(items);
    const answer = await asReviewer.post(path(id, 'manager-review'), {
      items: [{ id: first?.id, manager_comment: 'Indeed none' }, ...others],
    });
    expect(answer.body.data).toMatchObject({ overall_score: 4, overall_percentage: 80, self_overall_score: 4 });
    expect(answer.body.data.items[0]).toMatchObject({ not_applicable: true, manager_score: null });
  });

  test('may count what the subject left out, and leave out what the subject counted', async () => {
    const { id, items } = await made({
      answers: [{ self_score: null, self_not_applicable: true, self_comment: 'None' }, { self_score: 5 }],
    });
    const [first, second, third] = items;
    const answer = await asReviewer.post(path(id, 'manager-review'), {
      items: [
        { id: first?.id, manager_score: 2 },
        { id: second?.id, not_applicable: true, manager_comment: 'Was on another project' },
        { id: third?.id, manager_score: 4 },
      ],
    });
    // 40 % of 2 and 30 % of 4 over 70 %
    expect(answer.body.data).toMatchObject({ overall_score: 2.86, overall_percentage: 57.14, self_overall_score: 4.5 });
    expect(answer.body.data.explain.self.score).toBe(4.5);
    expect(await rowOf(id)).toMatchObject({ suggested_flag: 'pip' });
  });

  test('is blended with the self-assessment where the cycle says so', async () => {
    const cycle = await kpi.cycle({ manager_weight_pct: 80, self_weight_pct: 20 });
    const { id, items } = await made({ cycle_id: cycle.id });
    const answer = await asReviewer.post(path(id, 'manager-review'), { items: scores(items) });
    expect(answer.body.data).toMatchObject({ overall_score: 4.08, overall_percentage: 81.6 });
    expect(answer.body.data.explain.result).toMatchObject({ score: 4.08, percentage: 81.6 });
    const other = await kpi.cycle({ manager_weight_pct: 80, self_weight_pct: 20 });
    const skipped = await made({ cycle_id: other.id, self_skipped: true, self_submitted_at: null });
    const without = await asReviewer.post(path(skipped.id, 'manager-review'), { items: scores(skipped.items) });
    expect(without.body.data).toMatchObject({ overall_score: 4, overall_percentage: 80 });
  });

  test('of measured items is computed from what was reached', async () => {
    const template = await kpi.template({
      items: [
        { name: 'Lead time', weight: 10_000, item_type: 'measured', direction: 'higher_better', target_value: 80 },
      ],
    });
    const { id, items } = await made({ template });
    const answer = await asReviewer.post(path(id, 'manager-review'), {
      items: [{ id: items[0]?.id, manager_actual_value: 92 }],
    });
    expect(answer.body.data).toMatchObject({ overall_score: 5, overall_percentage: 100, overall_achievement_pct: 115 });
    expect(answer.body.data.items[0]).toMatchObject({ manager_score: 5, achievement_pct: 115 });
  });

  test('keeps to its window for the reviewer, not for who acts on behalf', async () => {
    const { id, items } = await made({ cycle_id: (await late()).id });
    await unchanged(id, async () => {
      for (const answer of [
        await asReviewer.put(path(id), { strengths: 'Late' }),
        await asReviewer.post(path(id, 'manager-review'), { items: scores(items) }),
      ])
        expect([answer.status, answer.body.errors.status]).toEqual([422, ['The deadline for this step has passed.']]);
    });
    const answer = await asBoss.post(path(id, 'manager-review'), { items: scores(items) });
    expect(answer.body.data).toMatchObject({ status: 'hr_review', manager_submitted_by: { user_id: boss.user_id } });
    expect((await notificationsOf(id)).map(([, , user]) => user)).toEqual([hr.user_id]);
  });

  test('takes back what the reviewer saw of the subject, and refuses another text of the subject', async () => {
    const { id, items } = await made();
    const [first] = (await asReviewer.get(path(id))).body.data.items;
    const sent = { id: items[0]?.id, self_score: first.self_score, manager_score: 2 };
    expect((await asReviewer.put(path(id), { self_comment: 'Good quarter.', items: [sent] })).status).toBe(200);
    await unchanged(id, async () => {
      const answer = await asReviewer.put(path(id), {
        self_comment: 'Bad',
        hr_comment: 'x',
        items: [{ ...sent, self_score: 1 }],
      });
      expect(Object.keys(answer.body.errors)).toEqual(['self_comment', 'hr_comment', 'items.0.self_score']);
      expect((await subject.put(path(id), { self_comment: 'Again' })).status).toBe(403);
    });
  });
});

describe('sending back', () => {
  test('to the subject makes the self-assessment a draft again', async () => {
    const { id } = await made();
    const answer = await asReviewer.post(path(id, 'return'), { reason });
    expect(answer.body.data).toMatchObject({ status: 'self_assessment', round: 2, return_reason: reason });
    expect(await rowOf(id)).toMatchObject({ self_submitted_at: null, self_overall_score: null, self_skipped: false });
    expect((await itemsOf(id))[0]).toMatchObject({ self_score: 5 });
    expect(await historyOf(id)).toEqual([['return', 'manager_review', 'self_assessment', reason, 2, reviewer.user_id]]);
    expect(await snapshotsOf(id)).toMatchObject([{ self_overall_score: 4.4, overall_score: null }]);
    expect(await notificationsOf(id)).toEqual([['kpi_evaluation_returned', 'own', person.user_id]]);
    const again = await subject.post(path(id, 'self-assessment'), {});
    expect(again.body.data).toMatchObject({ status: 'manager_review', self_overall_score: 4.4 });
    expect((await notificationsOf(id)).at(-1)).toEqual(['kpi_self_assessment_submitted', 'plain', reviewer.user_id]);
  });

  test('lets the reviewer decide anew about what the subject leaves out then', async () => {
    const { id, items } = await made();
    await asReviewer.put(path(id), {
      items: [
        { id: items[0]?.id, manager_score: 2 },
        { id: items[1]?.id, not_applicable: true, manager_comment: 'Not this year' },
      ],
    });
    await asReviewer.post(path(id, 'return'), { reason });
    const changed = { id: items[0]?.id, not_applicable: true, self_comment: 'Not mine' };
    expect((await subject.post(path(id, 'self-assessment'), { items: [changed] })).status).toBe(200);
    const seen = (await asReviewer.get(path(id))).body.data.items;
    expect(seen.map((item: { not_applicable: boolean }) => item.not_applicable)).toEqual([true, true, false]);
  });

  test('brings a skipped self-assessment back', async () => {
    const { id } = await made({ self_skipped: true, self_submitted_at: null });
    const answer = await asHr.post(path(id, 'return'), { reason });
    expect(answer.body.data).toMatchObject({ status: 'self_assessment', self_skipped: false });
  });

  test('leaves at least the least days of the cycle where the window is over', async () => {
    const { id } = await made({ cycle_id: (await late()).id });
    const send = (until?: string) => asReviewer.post(path(id, 'return'), { reason, until });
    await unchanged(id, async () => {
      expect((await send(dayFromNow(2))).body.errors.until).toHaveLength(1);
      expect((await send(dayFromNow(-1))).body.errors.until[0]).toContain('can’t be in the past');
      expect((await asReviewer.post(path(id, 'return'), { until: dayFromNow(1) })).body.errors.reason).toBeDefined();
    });
    const answer = await send();
    expect(answer.body.data).toMatchObject({ stage_open_until: dayFromNow(3), due_on: dayFromNow(3) });
    expect((await subject.put(path(id), { self_comment: 'More' })).status).toBe(200);
  });

  test('to the reviewer by HR keeps the scores as a draft and the result in the history', async () => {
    const { id } = await made({ status: 'hr_review' });
    await unchanged(id, async () => {
      expect((await asReviewer.post(path(id, 'return'), { reason })).status).toBe(403);
    });
    const answer = await asHr.post(path(id, 'return'), { reason });
    expect(answer.body.data).toMatchObject({ status: 'manager_review', round: 2, manager_submitted_at: null });
    expect(await rowOf(id)).toMatchObject({ overall_score: null, overall_percentage: null, suggested_flag: null });
    expect((await itemsOf(id))[0]).toMatchObject({ manager_score: 4 });
    expect(await snapshotsOf(id)).toMatchObject([{ overall_score: 4, overall_percentage: 80, performance_flag: null }]);
    expect(await notificationsOf(id)).toEqual([['kpi_evaluation_returned', 'plain', reviewer.user_id]]);
    const again = await asReviewer.post(path(id, 'manager-review'), {});
    expect(again.body.data).toMatchObject({ status: 'hr_review', overall_score: 4 });
    expect((await notificationsOf(id)).at(-1)).toEqual(['kpi_manager_review_submitted', 'plain', hr.user_id]);
  });
});

describe('another reviewer', () => {
  test('begins anew; the former one sees no more, both hear of it', async () => {
    const other = await make.employee({ roles: ['Manager'] });
    const { id, items } = await made({ manager_comment: null, strengths: null });
    await asReviewer.put(path(id), { strengths: 'Secret', items: scores(items) });
    const answer = await asHr.put(path(id, 'reviewer'), { reviewer_id: other.id, reason });
    expect(answer.body.data).toMatchObject({ status: 'manager_review', reviewer_id: other.id });
    expect(await rowOf(id)).toMatchObject({ strengths: null });
    expect((await itemsOf(id))[0]).toMatchObject({ manager_score: null, self_score: 5 });
    expect((await asReviewer.get(path(id))).status).toBe(404);
    expect((await asReviewer.post(path(id, 'manager-review'), { items: scores(items) })).status).toBe(404);
    expect(sorted(await notificationsOf(id))).toEqual([
      ['kpi_reviewer_changed', 'former', reviewer.user_id],
      ['kpi_reviewer_changed', 'plain', other.user_id],
    ]);
    expect(await historyOf(id)).toEqual([['reviewer', 'manager_review', 'manager_review', reason, 1, hr.user_id]]);
    expect((await (await as(other.user_id)).post(path(id, 'manager-review'), { items: scores(items) })).status).toBe(
      200,
    );
  });

  test('is active, permitted and not the subject; the present one is no other', async () => {
    const { id } = await made();
    const gone = await make.employee({ roles: ['Manager'], activity_status: 'inactive' });
    const powerless = await make.employee();
    await unchanged(id, async () => {
      for (const one of [gone.id, powerless.id, person.id, 987_654_321]) {
        const answer = await asHr.put(path(id, 'reviewer'), { reviewer_id: one });
        expect([answer.status, answer.body.errors]).toEqual([
          422,
          { reviewer_id: ['This reviewer isn’t available. Select another one.'] },
        ]);
      }
      const same = await asHr.put(path(id, 'reviewer'), { reviewer_id: reviewer.id });
      expect(same.body.errors).toEqual({ reviewer_id: ['This person is already the reviewer.'] });
    });
  });

  test('takes over where a reviewer became inactive, who counts again when active again', async () => {
    const leaver = await make.employee({ roles: ['Manager'] });
    const { id, revision } = await made({ reviewer: leaver });
    await owner.query("update employees set activity_status = 'inactive' where id = $1", [leaver.id]);
    const missing = await rowOf(id);
    expect([missing['reviewer_missing_since'], missing['revision']]).toEqual([expect.any(Date), revision]);
    await owner.query("update employees set activity_status = 'active' where id = $1", [leaver.id]);
    expect(await rowOf(id)).toMatchObject({ reviewer_missing_since: null });
    await owner.query("update employees set activity_status = 'inactive' where id = $1", [leaver.id]);
    expect((await asHr.put(path(id, 'reviewer'), { reviewer_id: reviewer.id })).status).toBe(200);
    expect(await rowOf(id)).toMatchObject({ reviewer_missing_since: null, reviewer_id: expect.anything() });
    expect(await notificationsOf(id)).toEqual([['kpi_reviewer_changed', 'plain', reviewer.user_id]]);
  });
});

test('a department that moved after the start changes nothing of who reviews', async () => {
  const { id, items, reviewer_id, department_id } = await made();
  const place = await make.department();
  const lead = await make.employee({ roles: ['TeamLead'] });
  await owner.query('update departments set team_lead_id = $1 where id = $2', [lead.id, place.id]);
  const before = await owner.query('select entity_id, department_id from employees where id = $1', [person.id]);
  await owner.query('update employees set entity_id = $1, department_id = $2 where id = $3', [
    place.entity_id,
    place.id,
    person.id,
  ]);
  expect(await rowOf(id)).toMatchObject({ reviewer_id: String(reviewer_id), department_id: String(department_id) });
  await unchanged(id, async () => {
    expect((await (await as(lead.user_id)).post(path(id, 'manager-review'), { items: scores(items) })).status).toBe(
      403,
    );
  });
  expect((await asReviewer.post(path(id, 'manager-review'), { items: scores(items) })).status).toBe(200);
  await owner.query('update employees set entity_id = $1, department_id = $2 where id = $3', [
    ...Object.values(before.rows[0] as object),
    person.id,
  ]);
});
