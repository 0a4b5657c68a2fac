import { describe, expect, test } from 'vitest';
import { startApp } from '../../testing/app.ts';
import { evaluationTesting } from '../../testing/evaluations.ts';
import { dayFromNow, kpiMaker } from '../../testing/make-kpi.ts';
import type { MadeEmployee } from '../../testing/make.ts';
import { acceptLapsedResults, skipSelfAssessments } from './scheduled-steps.ts';

const app = await startApp();
const { as, make, owner, deps } = app;
const kpi = kpiMaker(app);
const { rowOf, historyOf, notificationsOf, state } = evaluationTesting(app);

const reviewer = await make.employee({ roles: ['Manager'] });
const hr = await make.employee({ roles: ['HR'] });
/** A time of today in UTC, or of a later day. */
const at = (time: string, days = 0) => ({ deps, now: Temporal.Instant.from(`${dayFromNow(days)}T${time}Z`) });
type Fields = NonNullable<Parameters<typeof kpi.evaluation>[0]>;
type Cycle = Parameters<typeof kpi.cycle>[0];
const made = (cycle: Cycle, fields: Fields = {}) =>
  kpi.cycle(cycle).then(({ id }) => kpi.evaluation({ reviewer, cycle_id: id, ...fields }));

describe('a self-assessment whose time is over', () => {
  const yesterday = { auto_skip_self: true, self_assessment_closes_on: dayFromNow(-1) };

  test('is skipped after midnight of the company, once', async () => {
    const { id, employee_id } = await made(yesterday);
    await skipSelfAssessments(at('23:59', -1));
    expect(await rowOf(id)).toMatchObject({ status: 'self_assessment' });
    expect(await skipSelfAssessments(at('00:00'))).toBe(1);
    expect(await rowOf(id)).toMatchObject({
      status: 'manager_review',
      self_skipped: true,
      skip_reason: 'The time for this step is over.',
    });
    expect(await historyOf(id)).toEqual([
      ['skip-self-assessment', 'self_assessment', 'manager_review', 'The time for this step is over.', 1, null],
    ]);
    expect(await notificationsOf(id)).toEqual([['kpi_self_assessment_submitted', 'skipped', reviewer.user_id]]);
    const { rows } = await owner.query(
      `select action, actor_name from audit_log where subject_type = 'kpi_evaluation' and subject_id = $1`,
      [id],
    );
    expect(rows).toEqual([{ action: 'kpi_evaluation.skip-self-assessment', actor_name: 'System' }]);
    const before = await state(id);
    expect(await skipSelfAssessments(at('00:15'))).toBe(0);
    expect(await state(id)).toEqual(before);
    expect(employee_id).toBeGreaterThan(0);
  });

  test('waits where the cycle does not want it, time was given, or a request is open', async () => {
    const kept = [
      await made({ ...yesterday, auto_skip_self: false }),
      await made({ ...yesterday, self_assessment_closes_on: null }),
      await made({ ...yesterday, self_assessment_closes_on: dayFromNow(0) }),
      await made({ ...yesterday, status: 'closed' }),
      await made(yesterday, { stage_open_until: dayFromNow(0) }),
      await made(yesterday, {
        extension_status: 'pending',
        extension_reason: 'Ill for two weeks',
        extension_requested_at: new Date().toISOString(),
      }),
    ];
    expect(await skipSelfAssessments(at('12:00'))).toBe(0);
    for (const { id } of kept) expect(await rowOf(id)).toMatchObject({ status: 'self_assessment' });
    expect(await skipSelfAssessments(at('00:00', 1))).toBe(2);
  });

  test('is skipped by the day of its own company', async () => {
    const east = await make.entity({ timezone: 'Pacific/Auckland' });
    const west = await make.entity({ timezone: 'Pacific/Honolulu' });
    const of = (entity_id: number) => make.employee({ entity_id });
    const today = { ...yesterday, self_assessment_closes_on: dayFromNow(0) };
    const [here, there] = [
      await made(today, { employee: await of(east.id) }),
      await made(today, { employee: await of(west.id) }),
    ];
    await skipSelfAssessments(at('13:00'));
    expect([await rowOf(here.id), await rowOf(there.id)]).toMatchObject([
      { status: 'manager_review' },
      { status: 'self_assessment' },
    ]);
    await skipSelfAssessments(at('10:00', 1));
    expect(await rowOf(there.id)).toMatchObject({ status: 'manager_review' });
  });
});

async function remind({ id, employee_id }: { id: number; employee_id: number }, round: number, days: number[]) {
  for (const day of days)
    await owner.query(
      `insert into notifications (user_id, event, severity, subject_type, subject_id, url, dedupe_key)
       select user_id, 'kpi_deadline_reminder', 'action', 'kpi_evaluation', $1::bigint, '/',
              'kpi_deadline_reminder:' || $1::bigint || ':' || $3::text || '-acceptance-' || $4::text
       from employees where id = $2`,
      [id, employee_id, round, dayFromNow(day)],
    );
}

describe('a result without an answer', () => {
  const waiting = (fields: Fields = {}, cycle = {}) =>
    made(
      { auto_accept: true, ...cycle },
      { status: 'pending_acceptance', acceptance_due_on: dayFromNow(-1), ...fields },
    );

  test('counts as accepted when its person was reminded twice', async () => {
    const made = await waiting();
    await remind(made, 1, [-4, -1]);
    expect(await acceptLapsedResults(at('00:00'))).toBe(1);
    expect(await rowOf(made.id)).toMatchObject({
      status: 'accepted',
      acceptance_mode: 'deemed_job',
      responded_at: null,
    });
    expect((await historyOf(made.id)).map(([action, from, to]) => [action, from, to])).toEqual([
      ['deem-accepted', 'pending_acceptance', 'accepted'],
    ]);
    const notified = (await notificationsOf(made.id)).filter(([event]) => event === 'kpi_acceptance_lapsed');
    expect(notified.map(([, variant]) => variant).sort()).toEqual(['own', 'plain']);
    expect(notified.find(([, variant]) => variant === 'plain')?.[2]).toBe(hr.user_id);
    expect(await acceptLapsedResults(at('00:15'))).toBe(0);
  });

  test('waits for its second reminder of this round, for its day, and where the cycle does not want it', async () => {
    const once = await waiting();
    await remind(once, 1, [-1]);
    const earlier = await waiting({ round: 2 });
    await remind(earlier, 1, [-9, -5]);
    await remind(earlier, 2, [-1]);
    const today = await waiting({ acceptance_due_on: dayFromNow(0) });
    await remind(today, 1, [-3, -1]);
    const byHand = await waiting({}, { auto_accept: false });
    await remind(byHand, 1, [-3, -1]);
    expect(await acceptLapsedResults(at('23:00'))).toBe(0);
    for (const { id } of [once, earlier, today, byHand])
      expect(await rowOf(id)).toMatchObject({ status: 'pending_acceptance' });
    expect(await acceptLapsedResults(at('00:00', 1))).toBe(1);
    expect(await rowOf(today.id)).toMatchObject({ status: 'accepted' });
  });

  test('that is locked at this moment waits for the next round', async () => {
    const made = await waiting();
    await remind(made, 1, [-4, -1]);
    const other = await owner.connect();
    await other.query('begin');
    await other.query('select from kpi_evaluations where id = $1 for update', [made.id]);
    expect(await acceptLapsedResults(at('12:00'))).toBe(0);
    await other.query('commit');
    other.release();
    expect(await acceptLapsedResults(at('12:15'))).toBe(1);
  });
});

describe('what was cancelled and is restored long after its time', () => {
  const because = { reason: 'It was cancelled by mistake.' };
  const restored = async (id: number) => {
    expect((await (await as(hr.user_id)).post(`/api/kpi-evaluations/${id}/restore`, because)).status).toBe(200);
  };
  type Stage = 'self_assessment' | 'manager_review' | 'pending_acceptance';
  const cancelledIn = (cancelled_from: Stage, cycle: Cycle, employee?: MadeEmployee) => {
    const cancelled = { status: 'cancelled', cancelled_from, acceptance_due_on: dayFromNow(-20) } as const;
    return made(cycle, { ...cancelled, employee, status_changed_at: `${dayFromNow(-30)}T09:00:00Z` });
  };

  test('as a result can be answered again, and is not counted as accepted by earlier reminders', async () => {
    const employee = await make.employee();
    const cycle = { auto_accept: true, acceptance_days: 5 };
    const { id, employee_id } = await cancelledIn('pending_acceptance', cycle, employee);
    await remind({ id, employee_id }, 1, [-21, -19]);
    await restored(id);
    expect(await acceptLapsedResults(at('23:00', 5))).toBe(0);
    expect(await acceptLapsedResults(at('00:00', 6))).toBe(0);
    const disputed = await (await as(employee.user_id)).post(`/api/kpi-evaluations/${id}/dispute`, because);
    expect(disputed.body.data).toMatchObject({ status: 'disputed', acceptance_due_on: dayFromNow(5) });
  });

  test('as a step of a person stays open for a week where its window is over', async () => {
    const over = { auto_skip_self: true, self_assessment_closes_on: dayFromNow(-20) };
    const { id } = await cancelledIn('self_assessment', over);
    await restored(id);
    expect(await skipSelfAssessments(at('23:00', 7))).toBe(0);
    expect(await skipSelfAssessments(at('00:00', 8))).toBe(1);
  });

  test.each([
    ['over', { manager_review_closes_on: dayFromNow(-1) }, 7],
    ['about to end', { manager_review_closes_on: dayFromNow(0) }, 3],
    ['open', { manager_review_closes_on: dayFromNow(3) }, null],
    ['still to come', { manager_review_opens_on: dayFromNow(3) }, null],
  ])('as a review whose window is %s', async (_when, cycle, days) => {
    const { id } = await cancelledIn('manager_review', { self_assessment_closes_on: null, ...cycle });
    await restored(id);
    const { body } = await (await as(reviewer.user_id)).get(`/api/kpi-evaluations/${id}`);
    expect(body.data.stage_open_until).toBe(days === null ? null : dayFromNow(days));
  });
});
