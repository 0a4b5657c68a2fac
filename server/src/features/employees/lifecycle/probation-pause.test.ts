import { describe, expect, test } from 'vitest';
import { openDueReviews } from '../../probation-reviews/open-due.ts';
import { remindOfEndings } from '../../probation-reviews/reminders.ts';
import { startApp } from '../../../testing/app.ts';
import type { MadeEmployee } from '../../../testing/make.ts';
import { probationMaker } from '../../../testing/make-probation.ts';

/** A probation pauses during a long absence and ends later by the days of the pause. */

const app = await startApp();
const { as, make, owner, deps } = app;
const probation = probationMaker(app);

const entity = await make.entity();
const inCompany = { role: 'HR', entity_ids: [entity.id] };
const hrPerson = await make.employee({ entity_id: entity.id, roles: [inCompany] });
const hr = await as(hrPerson.user_id);
const lead = await make.employee({ entity_id: entity.id, roles: [{ role: 'Manager', entity_ids: [entity.id] }] });

const dayFromNow = (days: number) => Temporal.Now.plainDateISO('UTC').add({ days }).toString();
const reason = 'On parental leave since this day.';
const onProbation = (fields: object = {}) =>
  probation.person({
    entity_id: entity.id,
    reporting_manager_id: lead.id,
    probation_start_date: dayFromNow(-100),
    probation_end_date: dayFromNow(20),
    ...fields,
  });
const at = (id: number, step = '') => `/api/employees/${id}${step}`;
const pause = (id: number, days: number, client = hr) =>
  client.post(at(id, '/probation-pause'), { absent_from: dayFromNow(days), reason });
const resume = (id: number, days: number, client = hr) =>
  client.post(at(id, '/probation-resume'), { back_on: dayFromNow(days), reason });
const reviewsOf = ({ id }: MadeEmployee) =>
  deps.db.selectFrom('probation_reviews').selectAll().where('employee_id', '=', id).orderBy('sequence').execute();
const noticesOf = async ({ id }: MadeEmployee) =>
  (
    await owner.query(
      `select event, variant, user_id::int from notifications where subject_type = 'employee' and subject_id = $1
       and event in ('probation_paused', 'probation_resumed') order by id`,
      [id],
    )
  ).rows;

test('HR pauses and resumes; the end moves by the days of the pause, which is no extension', async () => {
  const person = await onProbation();
  const before = await hr.get(at(person.id));
  expect(before.body.data.allowed_actions).toContain('probation-pause');
  const paused = await pause(person.id, -30);
  expect([paused.status, paused.body.message]).toEqual([200, 'Probation paused successfully.']);
  expect(paused.body.data).toMatchObject({
    probation_paused_from: dayFromNow(-30),
    probation_end_date: dayFromNow(20),
  });
  expect(paused.body.data.allowed_actions).toContain('probation-resume');
  for (const action of ['probation-pause', 'extend-probation', 'correct-probation'])
    expect(paused.body.data.allowed_actions).not.toContain(action);
  const resumed = await resume(person.id, 0);
  expect([resumed.status, resumed.body.message]).toEqual([200, 'Probation resumed successfully.']);
  expect(resumed.body.data).toMatchObject({
    probation_paused_from: null,
    probation_end_date: dayFromNow(50),
    extension_count: 0,
  });
  const { rows } = await owner.query(
    `select action, changes, reason from audit_log where subject_type = 'employee' and subject_id = $1
     and action like 'employee.probation%' order by id`,
    [person.id],
  );
  const from = dayFromNow(-30);
  expect(rows).toEqual([
    { action: 'employee.probation_paused', changes: { probation_paused_from: { from: null, to: from } }, reason },
    {
      action: 'employee.probation_resumed',
      changes: {
        probation_paused_from: { from, to: null },
        probation_end_date: { from: dayFromNow(20), to: dayFromNow(50) },
      },
      reason,
    },
  ]);
});

test('the person, the manager and the reviewer are notified, each once', async () => {
  const person = await onProbation();
  const reviewer = await make.employee({ entity_id: entity.id, roles: ['Manager'] });
  await probation.review({ employee: person, reviewer, status: 'pending' });
  await pause(person.id, -3);
  await resume(person.id, 0);
  const notices = await noticesOf(person);
  expect(notices).toHaveLength(6);
  for (const event of ['probation_paused', 'probation_resumed'])
    expect(notices.filter((one) => one.event === event)).toEqual(
      expect.arrayContaining([
        { event, variant: 'own', user_id: person.user_id },
        { event, variant: 'plain', user_id: lead.user_id },
        { event, variant: 'plain', user_id: reviewer.user_id },
      ]),
    );
});

describe('while a probation is paused', () => {
  test('no review opens, by the clock or by hand, no one is reminded and nothing is missing', async () => {
    const person = await onProbation({ probation_end_date: dayFromNow(5) });
    await pause(person.id, -2);
    const now = Temporal.Now.instant().add({ hours: 24 * 10 });
    await openDueReviews({ deps, now });
    await remindOfEndings({ deps, now });
    expect(await reviewsOf(person)).toEqual([]);
    const { rows } = await owner.query(
      `select id from notifications where event = 'probation_ending_reminder' and subject_id = $1`,
      [person.id],
    );
    expect(rows).toEqual([]);
    const byHand = await hr.post('/api/probation-reviews', { employee_id: person.id });
    expect(byHand.body.errors).toEqual({ employee_id: ['This probation is paused. Resume it first.'] });
    const listed = await hr.get(`/api/probation-reviews/upcoming?days=60&search=${person.employee_number}`);
    const mine = listed.body.data.find((row: { employee: { id: number } }) => row.employee.id === person.id);
    expect(mine).toMatchObject({ paused_from: dayFromNow(-2), problems: [] });
    const tasks = await hr.get('/api/actionable-items?per_page=100&kind=probation_review_missing');
    const ids = tasks.body.data.map(({ subject }: { subject: { id: number } }) => subject.id);
    expect(ids).not.toContain(person.id);
  });

  test('its open review is no task and cannot be submitted; after it, review and due date have moved', async () => {
    const person = await onProbation();
    const review = await probation.review({ employee: person, reviewer: lead, status: 'pending' });
    const [before] = await reviewsOf(person);
    await owner.query(
      `update probation_reviews set performance_rating = 4, comments = 'Good.', recommendation = 'confirm' where id = $1`,
      [review.id],
    );
    const reviewer = await as(lead.user_id);
    const taskIds = async () =>
      (await reviewer.get('/api/actionable-items?kind=probation_review_assigned&per_page=100')).body.data.map(
        ({ subject }: { subject: { id: number } }) => subject.id,
      );
    expect(await taskIds()).toContain(review.id);
    await pause(person.id, -10);
    expect(await taskIds()).not.toContain(review.id);
    const read = (await reviewer.get(`/api/probation-reviews/${review.id}`)).body.data;
    expect(read.paused_from).toBe(dayFromNow(-10));
    expect(read.allowed_actions).not.toContain('submit');
    const signature = { method: 'typed', typed_name: 'Lee Lead' };
    const sent = await reviewer.post(`/api/probation-reviews/${review.id}/submit`, { signature });
    expect([sent.status, sent.body.errors.status]).toEqual([422, ['This probation is paused. Resume it first.']]);
    await resume(person.id, 0);
    const [after] = await reviewsOf(person);
    const dayLater = Temporal.PlainDate.from(before?.due_date ?? '').add({ days: 10 });
    expect(after).toMatchObject({
      status: 'pending',
      probation_end_date: dayFromNow(30),
      due_date: [dayLater.toString(), dayFromNow(0)].toSorted().at(-1),
    });
    expect(await taskIds()).toContain(review.id);
    expect((await reviewer.post(`/api/probation-reviews/${review.id}/submit`, { signature })).status).toBe(200);
  });

  test('confirming it ends the pause', async () => {
    const person = await onProbation();
    await pause(person.id, -3);
    const { body } = await hr.post(at(person.id, '/confirm'), { confirmation_date: dayFromNow(0), reason });
    expect(body.data).toMatchObject({ employment_lifecycle: 'confirmed', probation_paused_from: null });
  });
});

describe('refused is', () => {
  test('a day that is ahead, before the start, or after the end', async () => {
    const { id } = await onProbation();
    for (const days of [1, -101]) expect((await pause(id, days)).body.errors.absent_from).toHaveLength(1);
    const over = await onProbation({ probation_end_date: dayFromNow(-10) });
    expect((await pause(over.id, -9)).body.errors.absent_from).toHaveLength(1);
    expect((await pause(over.id, -10)).status).toBe(200);
  });

  test('a pause that overlaps the last one', async () => {
    const { id } = await onProbation();
    await pause(id, -30);
    await resume(id, -10);
    expect((await pause(id, -11)).body.errors.absent_from).toHaveLength(1);
    expect((await pause(id, -10)).status).toBe(200);
  });

  test('a return on the first day of the absence, before it, or ahead', async () => {
    const { id } = await onProbation();
    await pause(id, -5);
    for (const days of [-5, -6, 1]) expect((await resume(id, days)).body.errors.back_on).toHaveLength(1);
    expect((await resume(id, -4)).body.data.probation_end_date).toBe(dayFromNow(21));
  });

  test('a second pause, a return without a pause, and a probation without an end', async () => {
    const { id } = await onProbation();
    expect((await resume(id, 0)).body.errors.status).toEqual(['This probation is not paused.']);
    await pause(id, -5);
    expect((await pause(id, -5)).body.errors.status).toEqual(['This probation is already paused.']);
    const open = await onProbation({ probation_end_date: null });
    expect((await pause(open.id, -5)).body.errors.status).toEqual(['This probation has no end date.']);
    const confirmed = await make.employee({ entity_id: entity.id, employment_lifecycle: 'confirmed' });
    expect((await pause(confirmed.id, -5)).body.errors.status).toEqual(['This employee is not on probation.']);
  });

  test('another end as a field of the form, until the probation resumes', async () => {
    const { id } = await onProbation();
    await pause(id, -5);
    const earlier = { probation_end_date: dayFromNow(10) };
    expect((await hr.put(at(id), earlier)).body.errors).toEqual({
      probation_end_date: [
        'The probation end date field can’t be changed while the probation is paused. Resume it first.',
      ],
    });
    await resume(id, 0);
    expect((await hr.put(at(id), earlier)).status).toBe(200);
  });

  test('a pause while a review waits for its decision', async () => {
    const person = await onProbation();
    await probation.review({ employee: person, reviewer: lead, status: 'submitted' });
    expect((await hr.get(at(person.id))).body.data.allowed_actions).not.toContain('probation-pause');
    expect((await pause(person.id, -5)).body.errors.status).toEqual([
      'A probation review was submitted. Decide it or send it back before you pause the probation.',
    ]);
  });

  test('managers, the person, strangers and old revisions', async () => {
    const person = await onProbation({ roles: [inCompany] });
    const own = await as(person.user_id);
    expect((await pause(person.id, -5, own)).status).toBe(403);
    const elsewhere = await make.entity();
    const stranger = await as(
      (await make.employee({ entity_id: elsewhere.id, roles: [{ role: 'HR', entity_ids: [elsewhere.id] }] })).user_id,
    );
    expect((await pause(person.id, -5, stranger)).status).toBe(404);
    expect((await pause(person.id, -5, await as(lead.user_id))).status).toBe(403);
    const body = { absent_from: dayFromNow(-5), reason, revision: 99 };
    expect((await hr.post(at(person.id, '/probation-pause'), body)).body.errors.status).toEqual([
      'This record has changed in the meantime. Check the latest version and try again.',
    ]);
  });
});

test('of a pause and a submission at the same moment, the second is refused', async () => {
  const reviewer = await as(lead.user_id);
  for (let round = 0; round < 5; round += 1) {
    const person = await onProbation();
    const review = await probation.review({ employee: person, reviewer: lead, status: 'pending' });
    await owner.query(
      `update probation_reviews set performance_rating = 4, comments = 'Good.', recommendation = 'confirm' where id = $1`,
      [review.id],
    );
    const signature = { method: 'typed', typed_name: 'Lee Lead' };
    const answers = await Promise.all([
      pause(person.id, -5),
      reviewer.post(`/api/probation-reviews/${review.id}/submit`, { signature }),
    ]);
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 422]);
  }
});

test('a recommended extension that ends in the past is refused with the shortest possible one', async () => {
  const person = await onProbation({
    probation_start_date: dayFromNow(-200),
    probation_end_date: Temporal.Now.plainDateISO('UTC').subtract({ months: 2 }).toString(),
  });
  const review = await probation.review({ employee: person, reviewer: lead, status: 'pending' });
  const body = { performance_rating: 3, comments: 'Was away.', recommendation: 'extend', extension_months: 1 };
  const signature = { method: 'typed', typed_name: 'Lee Lead' };
  const reviewer = await as(lead.user_id);
  const answer = await reviewer.post(`/api/probation-reviews/${review.id}/submit`, { ...body, signature });
  expect(answer.status).toBe(422);
  expect(answer.body.errors.extension_months[0]).toMatch(
    /^The extension would end on .+ The shortest possible extension is 3 months\.$/,
  );
  const longer = { ...body, extension_months: 3, signature };
  expect((await reviewer.post(`/api/probation-reviews/${review.id}/submit`, longer)).status).toBe(200);
});
