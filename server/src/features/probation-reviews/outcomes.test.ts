import { extendedProbationEnd } from '@tenure/contract/probation-days';
import { expect, test } from 'vitest';
import { startApp } from '../../testing/app.ts';
import { dayFromNow, kpiMaker } from '../../testing/make-kpi.ts';
import { probationMaker } from '../../testing/make-probation.ts';
import { reviewTesting } from '../../testing/reviews.ts';
import { endLeavers } from '../employees/lifecycle/leavers.ts';
import { applyDueJobChanges } from '../job-history/apply.ts';
import { openDueReviews } from './open-due.ts';

/** The effect of a decision on the person's record, immediately or on its day, and how to revert it. */

const app = await startApp();
const { as, make, deps, owner } = app;
const probation = probationMaker(app);
const kpi = kpiMaker(app);
const { personOf, jobHistoryOf, historyOf, notificationsOf, auditOf, unchanged } = reviewTesting(app);

const company = await make.entity({ probation_max_extensions: 2 });
const manager = await make.employee({ roles: ['Manager'] });
const hrPerson = await make.employee({ roles: ['HR'] });
const hr = await as(hrPerson.user_id);
const admin = await as((await make.admin()).user_id);
const signature = { method: 'typed', typed_name: 'Hana Ito' };
const inDays = (days: number) => ({ deps, now: Temporal.Now.instant().add({ hours: 24 * days }) });

const usual = { employment_lifecycle: 'probationary', activity_status: 'active', confirmation_date: null };
const submitted = async (person: object = {}, review: object = {}) => {
  const employee = await probation.person({ entity_id: company.id, reporting_manager_id: manager.id, ...person });
  const made = await probation.review({ employee, reviewer: manager, status: 'submitted', ...review });
  return { ...made, person: employee, path: `/api/probation-reviews/${made.id}` };
};
const approve = (path: string, body: object = {}) => hr.post(`${path}/approve`, { signature, ...body });

test('a probation that is over already is confirmed at once, from the day after its end', async () => {
  const { path, person } = await submitted({ probation_end_date: dayFromNow(-3) });
  const { body } = await approve(path);
  expect(body.data).toMatchObject({ outcome: 'confirm', effective_date: dayFromNow(-2) });
  expect(await personOf(person.id)).toMatchObject({
    employment_lifecycle: 'confirmed',
    confirmation_date: dayFromNow(-2),
  });
  expect((await jobHistoryOf(person.id)).at(-1)).toEqual(['current', dayFromNow(-2), 'confirmed']);
  const { rows } = await owner.query(
    "select user_id::int, variant from notifications where event = 'employee_confirmed'",
  );
  expect(rows).toContainEqual({ user_id: person.user_id, variant: 'own' });
});

test('a confirmation for a later day waits in the job history and comes on that day', async () => {
  const { path, person } = await submitted();
  const { body } = await approve(path);
  expect(body.data.effective_date).toBe(dayFromNow(31));
  expect(await personOf(person.id)).toMatchObject(usual);
  expect(await jobHistoryOf(person.id)).toEqual([['scheduled', dayFromNow(31), 'confirmed']]);

  // to delete the review, revert the decision first
  const rows = (await hr.get(`/api/employees/${person.id}/job-history`)).body.data;
  expect(rows[0]).toMatchObject({ status: 'scheduled', allowed_actions: [] });
  const deleted = await hr.delete(`/api/employees/${person.id}/job-history/${rows[0].id}`);
  expect([deleted.status, deleted.body.errors.status]).toEqual([
    422,
    ['A probation review decided this. Reverse that decision to undo it.'],
  ]);

  await applyDueJobChanges(inDays(30));
  expect(await personOf(person.id)).toMatchObject(usual);
  await applyDueJobChanges(inDays(32));
  expect(await personOf(person.id)).toMatchObject({
    employment_lifecycle: 'confirmed',
    confirmation_date: dayFromNow(31),
  });
});

test('a person confirmed by hand before that day is not confirmed twice', async () => {
  const { path, person } = await submitted();
  await approve(path);
  const early = { confirmation_date: dayFromNow(0), reason: 'Agreed with everybody.' };
  expect((await hr.post(`/api/employees/${person.id}/confirm`, early)).status).toBe(200);
  expect((await jobHistoryOf(person.id)).map(([status]) => status).toSorted()).toEqual(['cancelled', 'current']);
  await applyDueJobChanges(inDays(40));
  expect(await personOf(person.id)).toMatchObject({ confirmation_date: dayFromNow(0) });
});

test('a confirmation ahead does not outlive the employment, but a separation that is withdrawn in time', async () => {
  const { path, person } = await submitted();
  await approve(path);
  const employee = `/api/employees/${person.id}`;
  const leave = (days: number) => ({ type: 'resigned', last_working_date: dayFromNow(days), reason: 'Another job' });
  const ask = async (step: string, body: object) =>
    expect([step, (await hr.post(`${employee}/${step}`, body)).status]).toEqual([step, 200]);
  const confirmation = async () => (await jobHistoryOf(person.id)).find(([, day]) => day === dayFromNow(31))?.[0];
  await ask('separate', leave(60));
  await ask('withdraw-separation', { reason: 'Stays with us after all' });
  expect(await confirmation()).toBe('scheduled');
  await ask('separate', leave(-1));
  await ask('rehire', { joining_date: dayFromNow(0) });
  expect(await confirmation()).toBe('cancelled');
  await applyDueJobChanges(inDays(32));
  expect(await personOf(person.id)).toMatchObject(usual);
});

test('while a review is open its person is not confirmed by hand', async () => {
  const { id, person } = await submitted();
  await unchanged(id, async () => {
    const body = { confirmation_date: dayFromNow(0), reason: 'Agreed with everybody.' };
    const answer = await hr.post(`/api/employees/${person.id}/confirm`, body);
    expect([answer.status, answer.body.errors]).toEqual([422, { status: [expect.stringContaining('review')] }]);
  });
});

test('an extension moves the end, counts, and the clock opens the next review of the chain', async () => {
  const { id, path, person } = await submitted(
    { probation_start_date: '2026-10-01', probation_end_date: dayFromNow(2) },
    { recommendation: 'extend', extension_months: 1 },
  );
  const until = extendedProbationEnd('2026-10-01', dayFromNow(2), 1);
  const { body } = await approve(path);
  expect(body.data).toMatchObject({
    outcome: 'extend',
    outcome_extension_months: 1,
    effective_date: dayFromNow(3),
  });
  expect(await personOf(person.id)).toMatchObject({ ...usual, probation_end_date: until, extension_count: 1 });
  expect(await jobHistoryOf(person.id)).toEqual([]);
  await openDueReviews(inDays(5));
  const { rows } = await owner.query(
    `select sequence, previous_review_id::int, probation_end_date::text from probation_reviews
     where employee_id = $1 and status = 'pending'`,
    [person.id],
  );
  expect(rows).toEqual([{ sequence: 2, previous_review_id: id, probation_end_date: until }]);
});

test('a termination today leaves the day, ends access after it and cancels open evaluations', async () => {
  const { path, person } = await submitted();
  const evaluation = await kpi.evaluation({ employee: person, reviewer: manager });
  const { body } = await approve(path, { outcome: 'terminate', hr_comments: 'It did not work out.' });
  expect(body.data).toMatchObject({ outcome: 'terminate', effective_date: dayFromNow(0) });
  expect(await personOf(person.id)).toMatchObject({
    employment_lifecycle: 'terminated',
    activity_status: 'active',
    last_working_date: dayFromNow(0),
  });
  const { rows } = await owner.query('select status, cancel_reason from kpi_evaluations where id = $1', [
    evaluation.id,
  ]);
  expect(rows).toEqual([{ status: 'cancelled', cancel_reason: 'The employment ends.' }]);
  expect(await auditOf('employee', person.id)).toEqual(['employee.separated']);
  await endLeavers(inDays(0));
  expect((await personOf(person.id))['activity_status']).toBe('active');
  await endLeavers(inDays(1));
  expect((await personOf(person.id))['activity_status']).toBe('inactive');
  // a person dismissed by a review returns only when the decision is reverted
  const withdrawn = await hr.post(`/api/employees/${person.id}/withdraw-separation`, { reason: 'By mistake, sorry.' });
  expect(withdrawn.status).toBe(422);
});

test.each<[string, object, object, string, string]>([
  [
    'confirm before the probation began',
    {},
    { effective_date: dayFromNow(-61) },
    'effective_date',
    `after or equal to ${dayFromNow(-60)}`,
  ],
  [
    'confirm before joining',
    { joining_date: dayFromNow(-50) },
    { effective_date: dayFromNow(-55) },
    'effective_date',
    `after or equal to ${dayFromNow(-50)}`,
  ],
  [
    'terminate in the past',
    {},
    { outcome: 'terminate', hr_comments: 'No.', effective_date: dayFromNow(-1) },
    'effective_date',
    'can’t be in the past',
  ],
  [
    'terminate before joining',
    { joining_date: dayFromNow(5), probation_start_date: dayFromNow(5) },
    { outcome: 'terminate', hr_comments: 'No.', effective_date: dayFromNow(4) },
    'effective_date',
    `after or equal to ${dayFromNow(5)}`,
  ],
  [
    'extend from another day',
    {},
    { outcome: 'extend', outcome_extension_months: 1, hr_comments: 'No.', effective_date: dayFromNow(40) },
    'effective_date',
    `An extension begins on ${dayFromNow(31)}`,
  ],
  [
    'extend to a day that is past',
    { probation_end_date: dayFromNow(-50) },
    { outcome: 'extend', outcome_extension_months: 1, hr_comments: 'No.' },
    'outcome_extension_months',
    'which isn’t in the future',
  ],
  ['extend without months', {}, { outcome: 'extend', hr_comments: 'No.' }, 'outcome_extension_months', 'required'],
  ['confirm for some months', {}, { outcome_extension_months: 2 }, 'outcome_extension_months', 'prohibited'],
  [
    'extend too often',
    { extension_count: 2 },
    { outcome: 'extend', outcome_extension_months: 1, hr_comments: 'No.' },
    'outcome',
    'can’t be extended any further',
  ],
  ['decide otherwise without a word', {}, { outcome: 'terminate' }, 'hr_comments', 'required'],
  [
    'extend by seven months',
    {},
    { outcome: 'extend', outcome_extension_months: 7, hr_comments: 'No.' },
    'outcome_extension_months',
    'greater than 6',
  ],
  ['decide without a signature', {}, { signature: null }, 'signature', 'required'],
])('nobody may %s', async (_name, person, body, field, message) => {
  const { id, path } = await submitted(person);
  await unchanged(id, async () => {
    const answer = await approve(path, body);
    expect([answer.status, answer.body.errors]).toEqual([422, { [field]: [expect.stringContaining(message)] }]);
  });
});

test.each([
  ['confirm', {}],
  ['confirm', { effective_date: dayFromNow(0) }],
  ['extend', { outcome: 'extend', outcome_extension_months: 2, hr_comments: 'More time.' }],
  ['terminate', { outcome: 'terminate', hr_comments: 'No.' }],
  ['terminate', { outcome: 'terminate', hr_comments: 'No.', effective_date: dayFromNow(20) }],
])('a decision to %s %j is taken back and leaves the person as before', async (_outcome, body) => {
  const { id, path, person } = await submitted({ extension_count: 1 });
  const before = await personOf(person.id);
  expect((await approve(path, body)).status).toBe(200);
  await endLeavers(inDays(3));
  const reverted = await admin.post(`${path}/revert`, {
    probation_end_date: dayFromNow(30),
    reason: 'Decided on the wrong person.',
  });
  expect([reverted.status, reverted.body.message]).toEqual([200, 'Decision reversed successfully.']);
  expect(reverted.body.data).toMatchObject({ status: 'reverted', revert_reason: 'Decided on the wrong person.' });
  expect(await personOf(person.id)).toEqual(before);
  expect((await jobHistoryOf(person.id)).filter(([status]) => status === 'scheduled')).toEqual([]);
  expect((await historyOf(id)).map(([action]) => action)).toEqual(['approve', 'revert']);
  const notified = (await notificationsOf(id)).filter(([event]) => event === 'probation_review_reverted');
  expect(notified).toEqual(
    expect.arrayContaining([
      ['probation_review_reverted', 'own', person.user_id],
      ['probation_review_reverted', 'plain', manager.user_id],
      ['probation_review_reverted', 'plain', hrPerson.user_id],
    ]),
  );
  // nothing of it returns later, and the scheduled job opens the next review
  await applyDueJobChanges(inDays(60));
  expect((await personOf(person.id))['employment_lifecycle']).toBe('probationary');
  await openDueReviews(inDays(5));
  const { rows } = await owner.query(
    "select sequence, previous_review_id::int from probation_reviews where employee_id = $1 and status = 'pending'",
    [person.id],
  );
  expect(rows).toEqual([{ sequence: 2, previous_review_id: id }]);
});

test('a decision is not taken back when more has happened since, to an earlier day, or by HR', async () => {
  const { id, path, person } = await submitted();
  await approve(path, { effective_date: dayFromNow(0) });
  const body = { probation_end_date: dayFromNow(30), reason: 'Decided on the wrong person.' };
  await unchanged(id, async () => {
    expect((await hr.post(`${path}/revert`, body)).status).toBe(403);
    const past = await admin.post(`${path}/revert`, { ...body, probation_end_date: dayFromNow(0) });
    expect(past.body.errors).toEqual({
      probation_end_date: ['The probation end date must be in the future.'],
    });
  });
  const leaving = { type: 'resigned', last_working_date: dayFromNow(20), reason: 'Found something else.' };
  expect((await hr.post(`/api/employees/${person.id}/separate`, leaving)).status).toBe(200);
  await unchanged(id, async () => {
    const answer = await admin.post(`${path}/revert`, body);
    expect([answer.status, answer.body.status]).toEqual([422, 'approved']);
  });
  const later = await submitted();
  await approve(later.path, { outcome: 'extend', outcome_extension_months: 1, hr_comments: 'More time.' });
  await openDueReviews(inDays(40));
  await unchanged(later.id, async () => {
    const answer = await admin.post(`${later.path}/revert`, body);
    expect(answer.body.errors).toEqual({ status: ['This employee has a later review.'] });
  });
});
