import { describe, expect, test } from 'vitest';
import { startApp } from '../../testing/app.ts';
import { dayFromNow, kpiMaker } from '../../testing/make-kpi.ts';
import { evaluationTesting, sorted } from '../../testing/evaluations.ts';

const app = await startApp();
const { as, make, owner } = app;
const kpi = kpiMaker(app);
const { rowOf, itemsOf, historyOf, notificationsOf, unchanged } = evaluationTesting(app);

const reviewer = await make.employee({ roles: ['Manager'] });
const hr = await make.employee({ roles: ['HR'] });
const person = await make.employee({ reporting_manager_id: reviewer.id, first_name: 'Jon', last_name: 'Reed' });
const [subject, asReviewer, asHr] = [await as(person.user_id), await as(reviewer.user_id), await as(hr.user_id)];
type Fields = Parameters<typeof kpi.evaluation>[0];
const made = (fields: Fields = {}) => kpi.evaluation({ employee: person, reviewer, ...fields });
const path = (id: number, step = '') => `/api/kpi-evaluations/${id}${step && `/${step}`}`;
const because = { reason: 'There was not enough time.' };
const over = () => kpi.cycle({ self_assessment_opens_on: dayFromNow(-20), self_assessment_closes_on: dayFromNow(-1) });

const measured = {
  name: 'Lead time',
  weight: 10_000,
  item_type: 'measured',
  direction: 'lower_better',
  target_value: 10,
} as const;

describe('a draft', () => {
  test('keeps what is there so far, for its writer alone, and leaves no history', async () => {
    const { id, items, revision } = await made();
    const [first, second] = items;
    const answer = await subject.put(path(id), {
      self_comment: 'So far so good.',
      items: [
        { id: first?.id, self_score: 4, self_comment: 'Below budget' },
        { id: second?.id, not_applicable: true },
      ],
      revision,
    });
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({
      message: 'Draft saved successfully.',
      data: { status: 'self_assessment', revision: revision + 1, self_comment: 'So far so good.' },
    });
    expect(answer.body.data.items[0]).toMatchObject({ self_score: 4, self_comment: 'Below budget' });
    expect(await itemsOf(id)).toMatchObject([
      { self_score: 4 },
      { self_score: null, self_not_applicable: true },
      { self_score: null },
    ]);
    const seen = await asReviewer.get(path(id));
    expect(JSON.stringify(seen.body)).not.toContain('So far so good');
    expect(await historyOf(id)).toEqual([]);
    expect(await notificationsOf(id)).toEqual([]);
  });

  test('of the same content changes nothing, an absent field stays, null clears it', async () => {
    const { id, items, revision } = await made();
    const body = { self_comment: 'Text', items: [{ id: items[0]?.id, self_score: 3 }] };
    expect((await subject.put(path(id), body)).body.data.revision).toBe(revision + 1);
    expect((await subject.put(path(id), { ...body, revision: revision + 1 })).body.data.revision).toBe(revision + 1);
    expect((await subject.put(path(id), {})).body.data).toMatchObject({ self_comment: 'Text' });
    const cleared = await subject.put(path(id), {
      self_comment: null,
      items: [{ id: items[0]?.id, self_score: null }],
    });
    expect(cleared.body.data).toMatchObject({ self_comment: null, revision: revision + 2 });
    expect((await itemsOf(id))[0]).toMatchObject({ self_score: null });
  });

  test('of a stale form is refused with state and revision', async () => {
    const { id, revision } = await made();
    await subject.put(path(id), { self_comment: 'First' });
    await unchanged(id, async () => {
      const answer = await subject.put(path(id), { self_comment: 'Second', revision });
      expect([answer.status, answer.body.status, answer.body.revision]).toEqual([422, 'self_assessment', revision + 1]);
    });
  });

  test.each([
    [{ self_score: 5.9 }, 'self_score', 'The item 1 score field must be between 1 and 5.'],
    [{ self_score: 0 }, 'self_score', 'The item 1 score field must be between 1 and 5.'],
    [{ self_score: 3.5 }, 'self_score', 'The item 1 score field must be an integer.'],
    [{ self_actual_value: 3 }, 'self_actual_value', 'The item 1 actual value field is prohibited.'],
    [{ manager_score: 3 }, 'manager_score', 'The item 1 score field can’t be changed in this step.'],
    [{ id: 987_654_321, self_score: 3 }, 'id', 'The selected item 1 is invalid.'],
  ])('with %j is refused at its field', async (sent, field, message) => {
    const { id, items } = await made();
    await unchanged(id, async () => {
      const answer = await subject.put(path(id), { items: [{ id: items[0]?.id, ...sent }] });
      expect([answer.status, answer.body.errors]).toEqual([422, { [`items.0.${field}`]: [message] }]);
    });
  });

  test('takes half steps where the scale has them, and one answer for each item of this evaluation', async () => {
    const template = await kpi.template({ scale_min: 0, scale_max: 10, score_step: 0.5 });
    const { id, items } = await made({ template });
    const other = await made();
    expect((await subject.put(path(id), { items: [{ id: items[0]?.id, self_score: 9.5 }] })).status).toBe(200);
    const [one, foreign] = [items[0]?.id, other.items[0]?.id];
    await unchanged(id, async () => {
      const sent = [
        { id: one, self_score: 9.25 },
        { id: one, self_score: 8 },
        { id: foreign, self_score: 3 },
      ];
      const answer = await subject.put(path(id), { items: sent });
      expect(answer.body.errors).toEqual({
        'items.0.self_score': ['The item 1 score field must be a multiple of 0.5.'],
        'items.1.id': ['The selected item 2 is invalid.'],
        'items.2.id': ['The selected item 3 is invalid.'],
      });
    });
  });

  test('of a measured item takes the actual value and computes the score', async () => {
    const template = await kpi.template({ items: [measured] });
    const { id, items } = await made({ template });
    const sent = { id: items[0]?.id, self_actual_value: 12 };
    const answer = await subject.put(path(id), { items: [sent] });
    expect(answer.body.data.items[0]).toMatchObject({ self_actual_value: 12, self_score: 3, achievement_pct: 80 });
    await unchanged(id, async () => {
      const refused = await subject.put(path(id), { items: [{ ...sent, self_score: 5 }] });
      expect(refused.body.errors['items.0.self_score']).toEqual([
        'The item 1 score field is calculated from the actual value.',
      ]);
    });
    expect((await subject.put(path(id), { items: [{ ...sent, self_score: 3 }] })).status).toBe(200);
  });

  test.each(['Pacific/Kiritimati', 'Pacific/Pago_Pago', 'UTC'])(
    'keeps to the window by the day in %s',
    async (zone) => {
      const entity = await make.entity({ timezone: zone });
      const somebody = await make.employee({ entity_id: entity.id });
      const client = await as(somebody.user_id);
      const today = Temporal.Now.plainDateISO(zone);
      const day = (days: number) => today.add({ days }).toString();
      const attempt = async (opens: string | null, closes: string | null, fields: Fields = {}) => {
        const window = { self_assessment_opens_on: opens, self_assessment_closes_on: closes };
        const cycle = await kpi.cycle({ ...window, manager_review_closes_on: null });
        const { id } = await kpi.evaluation({ employee: somebody, cycle_id: cycle.id, ...fields });
        const before = await rowOf(id);
        const answer = await client.put(path(id), { self_comment: 'In time?' });
        if (answer.status !== 200) expect(await rowOf(id)).toEqual(before);
        return answer.body.errors?.status ?? answer.status;
      };
      expect(await attempt(day(0), day(0))).toBe(200);
      expect(await attempt(null, null)).toBe(200);
      expect(await attempt(day(1), day(9))).toEqual([`This step opens on ${day(1)}.`]);
      expect(await attempt(day(-9), day(-1))).toEqual(['The deadline for this step has passed.']);
      expect(await attempt(day(-9), day(-1), { stage_open_until: day(0) })).toBe(200);
      expect(await attempt(day(-9), day(-2), { stage_open_until: day(-1) })).toEqual([
        'The deadline for this step has passed.',
      ]);
    },
  );
});

describe('handing in', () => {
  const scores = (items: { id: number }[], values = [5, 4, 4]) =>
    items.map(({ id }, index) => ({ id, self_score: values[index] ?? 3 }));

  test('gives the evaluation to the reviewer, who hears of it', async () => {
    const { id, items, revision } = await made();
    const answer = await subject.post(path(id, 'self-assessment'), {
      self_comment: 'Good quarter.',
      items: scores(items),
      revision,
    });
    expect(answer.status).toBe(200);
    expect(answer.body.data).toMatchObject({
      status: 'manager_review',
      self_overall_score: 4.4,
      self_submitted_at: expect.any(String),
      revision: revision + 1,
      allowed_actions: [],
    });
    expect(await historyOf(id)).toEqual([
      ['self-assessment', 'self_assessment', 'manager_review', null, 1, person.user_id],
    ]);
    expect(await notificationsOf(id)).toEqual([['kpi_self_assessment_submitted', 'plain', reviewer.user_id]]);
    const { rows } = await owner.query(
      `select action, subject_label, entity_id::int, changes from audit_log where subject_id = $1
       and subject_type = 'kpi_evaluation'`,
      [id],
    );
    const { name } = (await subject.get(path(id))).body.data.cycle;
    expect(rows).toEqual([
      {
        action: 'kpi_evaluation.self-assessment',
        subject_label: `Jon Reed, ${name}`,
        entity_id: person.entity_id,
        changes: { status: { from: 'self_assessment', to: 'manager_review' } },
      },
    ]);
  });

  test('names every gap of every item', async () => {
    const template = await kpi.template({
      items: [
        { weight: 2_000, evidence_required: true },
        { weight: 2_000 },
        { ...measured, weight: 3_000 },
        { weight: 3_000 },
      ],
    });
    const { id, items } = await made({ template });
    await unchanged(id, async () => {
      const answer = await subject.post(path(id, 'self-assessment'), {
        items: [
          { id: items[0]?.id, self_score: 3 },
          { id: items[3]?.id, not_applicable: true },
        ],
      });
      expect(answer.body.errors).toEqual({
        'items.0.evidence': ['The item 1 evidence field is required.'],
        'items.1.self_score': ['The item 2 score field is required.'],
        'items.2.self_actual_value': ['The item 3 actual value field is required.'],
        'items.3.self_comment': ['The item 4 comment field is required.'],
      });
    });
    await owner.query(
      `insert into kpi_evidence (evaluation_id, item_id, stage, note, uploaded_by_name)
       values ($1, $2, 'self', 'Signed offer', 'Jon Reed')`,
      [id, items[0]?.id],
    );
    const complete = await subject.post(path(id, 'self-assessment'), {
      items: [
        { id: items[0]?.id, self_score: 3 },
        { id: items[1]?.id, self_score: 5 },
        { id: items[2]?.id, self_actual_value: 9.5 },
        { id: items[3]?.id, not_applicable: true, self_comment: 'No such work this quarter' },
      ],
    });
    expect([complete.status, complete.body.data.self_overall_score]).toEqual([200, 4]);
  });

  test('counts nothing where nothing applies', async () => {
    const { id, items } = await made();
    const nothing = items.map((item) => ({ id: item.id, not_applicable: true, self_comment: 'On leave' }));
    const answer = await subject.post(path(id, 'self-assessment'), { items: nothing });
    expect(answer.body.data).toMatchObject({ status: 'manager_review', self_overall_score: null });
  });

  test('works once, also when it is sent twice at the same moment', async () => {
    const { id, items } = await made();
    const body = { items: scores(items) };
    const twice = await Promise.all([1, 2].map(() => subject.post(path(id, 'self-assessment'), body)));
    expect(sorted(twice.map(({ status }) => status))).toEqual([200, 422]);
    expect(twice.find(({ status }) => status === 422)?.body).toMatchObject({
      errors: { status: ['This evaluation is in manager review.'] },
      status: 'manager_review',
      revision: 2,
    });
    expect(await historyOf(id)).toHaveLength(1);
    expect(await notificationsOf(id)).toHaveLength(1);
  });

  test('notifies HR where no person can review', async () => {
    const { id, items } = await kpi.evaluation({ employee: person, reviewer_missing_since: new Date().toISOString() });
    expect((await subject.post(path(id, 'self-assessment'), { items: scores(items) })).status).toBe(200);
    expect(await notificationsOf(id)).toEqual([['kpi_self_assessment_submitted', 'unassigned', hr.user_id]]);
  });
});

describe('more time', () => {
  test('is asked for when time is over and given up to a day', async () => {
    const { id } = await made({ cycle_id: (await over()).id });
    const asked = await subject.post(path(id, 'extension-request'), because);
    expect(asked.status).toBe(200);
    expect(asked.body.data.extension).toMatchObject({ status: 'pending', reason: because.reason, requests_count: 1 });
    expect(await notificationsOf(id)).toEqual([['kpi_extension_requested', 'plain', hr.user_id]]);
    const until = dayFromNow(3);
    const given = await asHr.post(path(id, 'extension-decision'), { decision: 'approved', until, note: 'Enjoy.' });
    expect(given.body.data).toMatchObject({
      status: 'self_assessment',
      stage_open_until: until,
      due_on: until,
      extension: { status: 'approved', until, note: 'Enjoy.', decided_by: { user_id: hr.user_id } },
    });
    expect((await notificationsOf(id)).at(-1)).toEqual(['kpi_extension_decided', 'own', person.user_id]);
    expect((await subject.put(path(id), { self_comment: 'Thanks' })).status).toBe(200);
    expect((await historyOf(id)).map(([action]) => action)).toEqual(['extension-request', 'extension-decision']);
  });

  test('may be refused, and asked for three times', async () => {
    const { id } = await made({ cycle_id: (await over()).id });
    for (let times = 1; times <= 3; times += 1) {
      expect((await subject.post(path(id, 'extension-request'), because)).status).toBe(200);
      await unchanged(id, async () => {
        const again = await subject.post(path(id, 'extension-request'), because);
        expect(again.body.errors.status).toEqual(['An extension request is already pending.']);
      });
      const refused = await asHr.post(path(id, 'extension-decision'), { decision: 'rejected' });
      expect(refused.body.data).toMatchObject({
        stage_open_until: null,
        extension: { status: 'rejected', until: null },
      });
    }
    expect((await notificationsOf(id)).filter(([, variant]) => variant === 'rejected')).toHaveLength(3);
    await unchanged(id, async () => {
      const fourth = await subject.post(path(id, 'extension-request'), because);
      expect(fourth.body.errors.status).toEqual(['You can request an extension three times at most.']);
      const none = await asHr.post(path(id, 'extension-decision'), { decision: 'rejected' });
      expect(none.body.errors.status).toEqual(['There’s no pending extension request.']);
    });
  });

  test('is not asked for while there is time, nor given into the past or beyond the review', async () => {
    const open = await made();
    await unchanged(open.id, async () => {
      const early = await subject.post(path(open.id, 'extension-request'), because);
      expect(early.body.errors.status).toEqual([
        'You can request an extension once the deadline of this step has passed.',
      ]);
    });
    const { id } = await made({ cycle_id: (await over()).id });
    await subject.post(path(id, 'extension-request'), because);
    const approve = (until?: string) => asHr.post(path(id, 'extension-decision'), { decision: 'approved', until });
    await unchanged(id, async () => {
      expect((await approve()).body.errors.until).toEqual(['The due date field is required.']);
      expect((await approve(dayFromNow(-1))).body.errors.until[0]).toContain('can’t be in the past');
      expect((await approve(dayFromNow(16))).body.errors.until[0]).toContain(dayFromNow(15));
    });
    expect((await approve(dayFromNow(15))).status).toBe(200);
  });
});

test('HR goes on without the self-assessment; its draft counts for nothing', async () => {
  const { id, items } = await made();
  await subject.put(path(id), { items: [{ id: items[0]?.id, self_score: 1 }] });
  await unchanged(id, async () => {
    expect((await asHr.post(path(id, 'skip-self-assessment'), { reason: 'short' })).status).toBe(422);
    expect((await asReviewer.post(path(id, 'skip-self-assessment'), because)).status).toBe(403);
  });
  const answer = await asHr.post(path(id, 'skip-self-assessment'), because);
  expect(answer.body.data).toMatchObject({ status: 'manager_review', self_skipped: true, skip_reason: because.reason });
  expect(await rowOf(id)).toMatchObject({ self_overall_score: null, self_submitted_at: null });
  expect(await notificationsOf(id)).toEqual([['kpi_self_assessment_submitted', 'skipped', reviewer.user_id]]);
});
