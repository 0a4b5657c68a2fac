import { describe, expect, test } from 'vitest';
import { startApp } from '../../testing/app.ts';
import type { MadeEmployee } from '../../testing/make.ts';
import { openDueReviews } from './open-due.ts';

const app = await startApp();
const beside = await startApp({}, { beside: app });
const { make, owner, deps } = app;

const manager = await make.employee({ roles: ['Manager'] });
const hr = await make.employee({ roles: ['HR'] });
const at = (moment: string) => ({ deps, now: Temporal.Instant.from(moment) });
const onProbation = (end: string | null, fields: Parameters<typeof make.employee>[0] = {}) =>
  make.employee({
    employment_lifecycle: 'probationary',
    probation_start_date: '2026-01-01',
    probation_end_date: end,
    reporting_manager_id: manager.id,
    ...fields,
  });

const reviewsOf = ({ id }: MadeEmployee) =>
  deps.db.selectFrom('probation_reviews').selectAll().where('employee_id', '=', id).orderBy('sequence').execute();
const notificationsOf = (review: { id: number } | undefined) =>
  deps.db
    .selectFrom('notifications')
    .select(['event', 'variant', 'user_id'])
    .where('subject_type', '=', 'probation_review')
    .where('subject_id', '=', review?.id ?? 0)
    .execute();
const change = (set: string, { id }: MadeEmployee) => owner.query(`update employees set ${set} where id = $1`, [id]);

describe('a probation that ends', () => {
  test('gets its review after midnight of the company, so many days before as the company says, once', async () => {
    const company = await make.entity({ timezone: 'Asia/Tokyo', probation_lead_days: 14 });
    const person = await onProbation('2027-03-31', { entity_id: company.id });
    // 17 March begins at 15:00 UTC on the previous day
    await openDueReviews(at('2027-03-16T14:59:00Z'));
    expect(await reviewsOf(person)).toEqual([]);
    await openDueReviews(at('2027-03-16T15:00:00Z'));
    const [review, ...others] = await reviewsOf(person);
    expect(others).toEqual([]);
    expect(review).toMatchObject({
      status: 'pending',
      sequence: 1,
      previous_review_id: null,
      reviewer_id: manager.id,
      reviewer_missing_since: null,
      entity_id: company.id,
      department_id: person.department_id,
      due_date: '2027-03-24',
      probation_start_date: '2026-01-01',
      probation_end_date: '2027-03-31',
    });
    expect(await notificationsOf(review)).toEqual([
      { event: 'probation_review_created', variant: 'plain', user_id: manager.user_id },
    ]);
    const { rows: history } = await owner.query(
      'select action, from_status, to_status, actor_name, round from probation_review_activity where review_id = $1',
      [review?.id],
    );
    expect(history).toEqual([
      { action: 'create', from_status: null, to_status: 'pending', actor_name: 'System', round: 1 },
    ]);
    const { rows: audit } = await owner.query(
      `select action, actor_name, subject_label from audit_log
       where subject_type = 'probation_review' and subject_id = $1`,
      [review?.id],
    );
    expect(audit).toMatchObject([{ action: 'probation_review.create', actor_name: 'System' }]);
    await openDueReviews(at('2027-03-17T15:00:00Z'));
    expect(await reviewsOf(person)).toHaveLength(1);
  });

  test('gets it though no job ran for a week, also past the end; then it is due at once', async () => {
    const company = await make.entity({ probation_lead_days: 3 });
    const missed = await onProbation('2027-05-31', { entity_id: company.id });
    const ended = await onProbation('2027-04-30', { entity_id: company.id });
    await openDueReviews(at('2027-05-27T23:59:00Z'));
    expect(await reviewsOf(missed)).toEqual([]);
    await openDueReviews(at('2027-06-04T00:10:00Z'));
    expect(await reviewsOf(missed)).toMatchObject([{ due_date: '2027-06-04' }]);
    expect(await reviewsOf(ended)).toMatchObject([{ due_date: '2027-05-27' }]);
  });

  test('is found by the day of the company also when its clocks change', async () => {
    // daylight saving time ends in Berlin; in Santiago it starts at midnight, so that the day starts at one o'clock
    for (const [timezone, end, before, after] of [
      ['Europe/Berlin', '2026-10-26', '2026-10-24T21:59:59Z', '2026-10-24T22:00:00Z'],
      ['Europe/Berlin', '2026-10-27', '2026-10-25T22:59:59Z', '2026-10-25T23:00:00Z'],
      ['America/Santiago', '2026-09-07', '2026-09-06T03:59:59Z', '2026-09-06T04:00:00Z'],
    ] as const) {
      const company = await make.entity({ timezone, probation_lead_days: 1 });
      const person = await onProbation(end, { entity_id: company.id });
      await openDueReviews(at(before));
      expect(await reviewsOf(person)).toEqual([]);
      await openDueReviews(at(after));
      expect(await reviewsOf(person)).toHaveLength(1);
    }
  });

  test('at the end of a month is a day like others', async () => {
    const company = await make.entity({ probation_lead_days: 1 });
    const leap = await onProbation('2028-02-29', { entity_id: company.id });
    const march = await onProbation('2028-03-01', { entity_id: company.id });
    await openDueReviews(at('2028-02-28T00:00:00Z'));
    expect([await reviewsOf(leap), await reviewsOf(march)]).toMatchObject([[{ due_date: '2028-02-28' }], []]);
    await openDueReviews(at('2028-02-29T00:00:00Z'));
    expect(await reviewsOf(march)).toMatchObject([{ due_date: '2028-02-29' }]);
  });

  test('gets one review from several processes at once', async () => {
    const company = await make.entity();
    const { id: department_id } = await make.department({ entity_id: company.id });
    const people = await Promise.all(Array.from({ length: 30 }, () => onProbation('2027-02-01', { department_id })));
    const now = Temporal.Instant.from('2027-01-20T12:00:00Z');
    await Promise.all([app, beside, app, beside].map((one) => openDueReviews({ deps: one.deps, now })));
    await openDueReviews({ deps, now });
    const found = await Promise.all(people.map(reviewsOf));
    expect(found.map((reviews) => reviews.length)).toEqual(people.map(() => 1));
    const { rows } = await owner.query<{ n: string }>(
      `select count(*) as n from notifications n join probation_reviews v on v.id = n.subject_id
       where n.event = 'probation_review_created' and v.department_id = $1`,
      [department_id],
    );
    expect(Number(rows[0]?.n)).toBe(30);
  });

  test('of a person who is not on probation, left, or has no end gets none', async () => {
    const none = [
      await onProbation(null),
      await onProbation('2027-01-15', { employment_lifecycle: 'confirmed' }),
      await onProbation('2027-01-15', { activity_status: 'inactive' }),
      await onProbation('2027-01-15', { employment_lifecycle: 'resigned', last_working_date: '2027-06-01' }),
    ];
    const some = await onProbation('2027-01-15');
    await openDueReviews(at('2027-01-10T12:00:00Z'));
    expect(await reviewsOf(some)).toHaveLength(1);
    for (const person of none) expect(await reviewsOf(person)).toEqual([]);
  });
});

describe('the next review', () => {
  const now = '2027-01-10T12:00:00Z';
  const put = (set: string, id: unknown) => owner.query(`update probation_reviews set ${set} where id = $1`, [id]);
  const approved = `status = 'approved', decided_at = now(), effective_date = '2027-01-16'`;

  test('comes before the new end of an extended probation, and knows the one before', async () => {
    const person = await onProbation('2027-01-15');
    await openDueReviews(at(now));
    const [first] = await reviewsOf(person);
    await put(`${approved}, outcome = 'extend', outcome_extension_months = 1`, first?.id);
    await change(`probation_end_date = '2027-02-15', extension_count = 1`, person);
    await openDueReviews(at(now));
    expect(await reviewsOf(person)).toHaveLength(1);
    await openDueReviews(at('2027-01-16T00:00:00Z'));
    expect(await reviewsOf(person)).toMatchObject([
      { id: first?.id },
      { sequence: 2, previous_review_id: first?.id, probation_end_date: '2027-02-15', due_date: '2027-02-08' },
    ]);
  });

  test('follows a reverted one also to the same end, but not a cancelled or decided one', async () => {
    const [reverted, cancelled, decided] = [
      await onProbation('2027-01-15'),
      await onProbation('2027-01-15'),
      await onProbation('2027-01-15'),
    ];
    await openDueReviews(at(now));
    const [first] = await reviewsOf(reverted);
    await put(`status = 'reverted'`, first?.id);
    await put(`status = 'cancelled'`, (await reviewsOf(cancelled))[0]?.id);
    await put(`${approved}, outcome = 'confirm'`, (await reviewsOf(decided))[0]?.id);
    await openDueReviews(at(now));
    expect(await reviewsOf(reverted)).toMatchObject([{}, { sequence: 2, previous_review_id: first?.id }]);
    expect(await reviewsOf(cancelled)).toHaveLength(1);
    expect(await reviewsOf(decided)).toHaveLength(1);
  });
});

describe('the reviewer', () => {
  const now = '2027-01-10T12:00:00Z';
  const reviewerOf = async (fields: Parameters<typeof make.employee>[0]) => {
    const person = await onProbation('2027-01-15', fields);
    await openDueReviews(at(now));
    const [review] = await reviewsOf(person);
    return { person, review };
  };

  test('is the manager of the department where the reporting manager left or may not review', async () => {
    const left = await make.employee({ roles: ['Manager'], activity_status: 'inactive' });
    const plain = await make.employee();
    const department = await make.department({ manager_id: manager.id });
    for (const reporting_manager_id of [left.id, plain.id, null]) {
      const { review } = await reviewerOf({ reporting_manager_id, department_id: department.id });
      expect(review).toMatchObject({ reviewer_id: manager.id, reviewer_missing_since: null });
    }
  });

  test('comes from above: never a report, but the nearest able head above the department', async () => {
    const top = await make.department({ manager_id: manager.id });
    const between = await make.department({ entity_id: top.entity_id, parent_id: top.id });
    const department = await make.department({ entity_id: top.entity_id, parent_id: between.id });
    const head = await onProbation('2027-01-15', { department_id: department.id, roles: ['Manager'] });
    const report = await make.employee({ reporting_manager_id: head.id, roles: ['Manager'] });
    await owner.query('update departments set manager_id = $1 where id = $2', [head.id, department.id]);
    await owner.query('update departments set manager_id = $1 where id = $2', [report.id, between.id]);
    await openDueReviews(at(now));
    expect(await reviewsOf(head)).toMatchObject([{ reviewer_id: manager.id, reviewer_missing_since: null }]);
  });

  test('is missing where no person fits: HR is notified, and never the person', async () => {
    const { person, review } = await reviewerOf({ reporting_manager_id: null, roles: ['HR'] });
    expect(review).toMatchObject({ reviewer_id: null });
    expect(review?.reviewer_missing_since).not.toBeNull();
    expect(await notificationsOf(review)).toEqual([
      { event: 'probation_review_created', variant: 'unassigned', user_id: hr.user_id },
    ]);
    const department = await make.department();
    const head = await onProbation('2027-01-15', {
      department_id: department.id,
      reporting_manager_id: null,
      roles: ['Manager'],
    });
    await owner.query('update departments set manager_id = $1 where id = $2', [head.id, department.id]);
    await openDueReviews(at(now));
    expect(await reviewsOf(head)).toMatchObject([{ reviewer_id: null }]);
    expect(person.id).toBeGreaterThan(0);
  });
});
