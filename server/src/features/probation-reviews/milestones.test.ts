import { extractText, getDocumentProxy } from 'unpdf';
import { describe, expect, test } from 'vitest';
import { startApp } from '../../testing/app.ts';
import type { MadeEmployee } from '../../testing/make.ts';
import { probationMaker } from '../../testing/make-probation.ts';
import { openDueReviews } from './open-due.ts';
import { openMilestones } from './open-milestones.ts';

/** Interim reviews: they open by themselves if a company wants them, are shared by HR, and decide nothing. */

const app = await startApp();
const { as, make, owner, deps } = app;
const probation = probationMaker(app);

const entity = await make.entity({ probation_lead_days: 30 });
await owner.query(
  `update entities set probation_day_30_review = true, probation_midpoint_review = true where id = $1`,
  [entity.id],
);
const lead = await make.employee({ entity_id: entity.id, roles: [{ role: 'Manager', entity_ids: [entity.id] }] });
const hrPerson = await make.employee({ entity_id: entity.id, roles: [{ role: 'HR', entity_ids: [entity.id] }] });
const hr = await as(hrPerson.user_id);
const reviewer = await as(lead.user_id);

const dayFromNow = (days: number) => Temporal.Now.plainDateISO('UTC').add({ days }).toString();
const onProbation = (fields: object = {}) =>
  probation.person({
    entity_id: entity.id,
    reporting_manager_id: lead.id,
    probation_start_date: '2027-01-01',
    probation_end_date: '2027-06-30',
    ...fields,
  });
const at = (day: string) => ({ deps, now: Temporal.Instant.from(`${day}T12:00:00Z`) });
const openedOf = async ({ id }: MadeEmployee) =>
  (
    await owner.query<{ milestone: string; due_date: string; reviewer_id: string }>(
      `select milestone, due_date::text, reviewer_id::int from probation_reviews where employee_id = $1 order by id`,
      [id],
    )
  ).rows;

describe('by the clock', () => {
  test('one opens 30 days after the start and one in the middle, each once, due in two weeks', async () => {
    const person = await onProbation();
    await openMilestones(at('2027-01-30'));
    expect(await openedOf(person)).toEqual([]);
    for (const day of ['2027-01-31', '2027-02-01', '2027-02-14']) await openMilestones(at(day));
    const first = { milestone: 'day_30', due_date: '2027-02-14', reviewer_id: lead.id };
    expect(await openedOf(person)).toEqual([first]);
    await openMilestones(at('2027-03-31'));
    expect(await openedOf(person)).toEqual([first]);
    await openMilestones(at('2027-04-01'));
    const second = { milestone: 'midpoint', due_date: '2027-04-15', reviewer_id: lead.id };
    expect(await openedOf(person)).toEqual([first, second]);
    await openDueReviews(at('2027-06-01'));
    expect((await openedOf(person)).map(({ milestone }) => milestone)).toEqual(['day_30', 'midpoint', 'final']);
  });

  test('two weeks later it is too late, and with a pause or near the end none opens', async () => {
    const late = await onProbation();
    const paused = await onProbation();
    await owner.query(`update employees set probation_paused_from = '2027-01-10' where id = $1`, [paused.id]);
    const short = await onProbation({ probation_end_date: '2027-03-02' });
    await openMilestones(at('2027-02-15'));
    expect(await openedOf(late)).toEqual([]);
    await openMilestones(at('2027-02-01'));
    expect(await openedOf(paused)).toEqual([]);
    expect(await openedOf(short)).toEqual([]);
  });

  test('the days of pauses do not count: it opens after the pause', async () => {
    const person = await onProbation();
    const twice = await onProbation();
    const pauses = (from: string, back: string) => `{[${from},${back})}`;
    const rest = async ({ id }: MadeEmployee, days: string, end: string) =>
      owner.query(
        `update employees set probation_pauses = probation_pauses + $2::datemultirange, probation_end_date = $3
         where id = $1`,
        [id, days, end],
      );
    // over days 30 to 44, and another one that begins on the new day 30
    await rest(person, pauses('2027-01-31', '2027-02-15'), '2027-07-15');
    await rest(twice, pauses('2027-01-11', '2027-01-21'), '2027-07-10');
    await rest(twice, pauses('2027-02-10', '2027-02-15'), '2027-07-15');
    // partly before a start that has been corrected since
    const corrected = await onProbation();
    await rest(corrected, pauses('2026-12-01', '2027-01-04'), '2027-06-30');
    for (const day of ['2027-01-31', '2027-02-02']) await openMilestones(at(day));
    expect(await openedOf(corrected)).toEqual([]);
    for (const day of ['2027-02-03', '2027-02-14']) await openMilestones(at(day));
    expect([await openedOf(person), await openedOf(twice)]).toEqual([[], []]);
    expect(await openedOf(corrected)).toHaveLength(1);
    await openMilestones(at('2027-02-15'));
    const first = { milestone: 'day_30', due_date: '2027-03-01', reviewer_id: lead.id };
    expect([await openedOf(person), await openedOf(twice)]).toEqual([[first], [first]]);
    // half of 180 days
    await openMilestones(at('2027-04-15'));
    expect(await openedOf(person)).toHaveLength(1);
    await openMilestones(at('2027-04-16'));
    expect((await openedOf(person)).map(({ milestone }) => milestone)).toEqual(['day_30', 'midpoint']);
  });

  test('a pause that HR records over the day of a review is one of them', async () => {
    const person = await onProbation({ probation_start_date: dayFromNow(-50), probation_end_date: dayFromNow(130) });
    const path = `/api/employees/${person.id}`;
    const reason = 'On parental leave since this day.';
    expect((await hr.post(`${path}/probation-pause`, { absent_from: dayFromNow(-25), reason })).status).toBe(200);
    await openMilestones({ deps, now: Temporal.Now.instant() });
    expect((await hr.post(`${path}/probation-resume`, { back_on: dayFromNow(0), reason })).status).toBe(200);
    const opened = async (days: number) => {
      await openMilestones({ deps, now: Temporal.Now.instant().add({ hours: 24 * days }) });
      return (await openedOf(person)).map(({ milestone }) => milestone);
    };
    expect([await opened(4), await opened(5)]).toEqual([[], ['day_30']]);
  });

  test('a cancelled one does not come again, and a company that wants none has none', async () => {
    const person = await onProbation();
    const plain = await make.entity();
    const other = await probation.person({
      entity_id: plain.id,
      probation_start_date: '2027-01-01',
      probation_end_date: '2027-06-30',
    });
    await openMilestones(at('2027-01-31'));
    await owner.query(`update probation_reviews set status = 'cancelled', cancel_reason = 'x' where employee_id = $1`, [
      person.id,
    ]);
    await openMilestones(at('2027-02-01'));
    expect(await openedOf(person)).toHaveLength(1);
    expect(await openedOf(other)).toEqual([]);
  });
});

const signature = { method: 'typed', typed_name: 'Lee Lead' };
const written = { performance_rating: 4, comments: 'A good start.' };
const current = { probation_start_date: dayFromNow(-40), probation_end_date: dayFromNow(100) };

async function opened(milestone: 'day_30' | 'midpoint' = 'day_30') {
  const person = await onProbation(current);
  const { status, body } = await hr.post('/api/probation-reviews', { employee_id: person.id, milestone });
  expect(status).toBe(201);
  return { person, path: `/api/probation-reviews/${body.data.id}`, review: body.data };
}

test('it is written without a recommendation, shared by HR without a signature, and changes nothing', async () => {
  const { person, path, review } = await opened();
  expect(review).toMatchObject({ milestone: 'day_30', due_date: dayFromNow(14), status: 'pending' });
  const before = (await hr.get(`/api/employees/${person.id}`)).body.data;
  expect(before.allowed_actions).toContain('confirm');
  const own = await as(person.user_id);
  expect((await own.get(path)).status).toBe(404);
  expect((await reviewer.post(`${path}/submit`, { ...written, signature })).status).toBe(200);
  const submitted = (await hr.get(path)).body.data;
  expect(submitted.allowed_actions).toContain('share');
  expect(submitted.allowed_actions).not.toContain('approve');
  const shared = await hr.post(`${path}/share`, { hr_comments: 'Keep it up.' });
  expect([shared.status, shared.body.message]).toEqual([200, 'Review shared successfully.']);
  expect(shared.body.data).toMatchObject({ status: 'approved', outcome: null, effective_date: null });
  const seen = (await own.get(path)).body.data;
  expect(seen).toMatchObject({ comments: 'A good start.', hr_comments: 'Keep it up.' });
  expect((await own.post(`${path}/acknowledge`, {})).status).toBe(200);
  const after = (await hr.get(`/api/employees/${person.id}`)).body.data;
  for (const field of ['employment_lifecycle', 'probation_end_date', 'extension_count', 'revision'])
    expect([field, after[field]]).toEqual([field, before[field]]);
});

test('HR has the task to share it, the employee the one to acknowledge it; both are notified', async () => {
  const { person, path, review } = await opened();
  await reviewer.post(`${path}/submit`, { ...written, signature });
  const tasksOf = async (client: typeof hr, kind: string) =>
    (await client.get(`/api/actionable-items?kind=${kind}&per_page=100`)).body.data
      .filter(({ subject }: { subject: { id: number } }) => subject.id === review.id)
      .map(({ due_date }: { due_date: string }) => due_date);
  expect(await tasksOf(hr, 'probation_review_approval')).toEqual([dayFromNow(14)]);
  await hr.post(`${path}/share`, {});
  expect(await tasksOf(hr, 'probation_review_approval')).toEqual([]);
  expect(await tasksOf(await as(person.user_id), 'probation_acknowledge')).toEqual([dayFromNow(7)]);
  const { rows } = await owner.query(
    `select event, variant, user_id::int from notifications where subject_type = 'probation_review' and subject_id = $1
     order by id`,
    [review.id],
  );
  expect(rows).toEqual(
    expect.arrayContaining([
      { event: 'probation_review_submitted', variant: 'on_the_way', user_id: hrPerson.user_id },
      { event: 'probation_review_shared', variant: 'own', user_id: person.user_id },
      { event: 'probation_review_shared', variant: 'plain', user_id: lead.user_id },
    ]),
  );
});

test('its record as PDF says that it was shared, and names no decision', async () => {
  const { path } = await opened();
  await reviewer.post(`${path}/submit`, { ...written, signature });
  await hr.post(`${path}/share`, {});
  const { status, bytes } = await hr.get(`${path}/letter`);
  expect(status).toBe(200);
  const { text } = await extractText(await getDocumentProxy(new Uint8Array(bytes)), { mergePages: true });
  expect(text).toContain('After 30 days');
  expect(text).toContain('Shared by');
  expect(text).not.toMatch(/Deci(ded|sion)/);
});

describe('refused is', () => {
  test('a recommendation, a decision, a revert, and sharing a final one', async () => {
    const { path, person } = await opened();
    const recommending = { ...written, recommendation: 'confirm', signature };
    const nothing = 'A review before the end of the probation decides nothing.';
    expect((await reviewer.post(`${path}/submit`, recommending)).body.errors.recommendation).toEqual([nothing]);
    await reviewer.post(`${path}/submit`, { ...written, signature });
    const decision = { outcome: 'confirm', hr_comments: 'Well done.', signature };
    expect((await hr.post(`${path}/approve`, decision)).body.errors.status).toEqual([
      'This review decides nothing. Share it with the employee instead.',
    ]);
    await hr.post(`${path}/share`, {});
    const admin = await as((await make.employee({ roles: ['Admin'] })).user_id);
    const back = { probation_end_date: dayFromNow(50), reason: 'Shared by mistake.' };
    expect((await admin.post(`${path}/revert`, back)).body.errors.status).toEqual([nothing]);
    const final = await probation.review({ employee: person, reviewer: lead, status: 'submitted' });
    expect((await hr.post(`/api/probation-reviews/${final.id}/share`, {})).body.errors.status).toEqual([
      'This review decides the probation. It is shared with the decision.',
    ]);
  });

  test('a second one of a kind, and one after the decision', async () => {
    const { person, path } = await opened();
    const again = () => hr.post('/api/probation-reviews', { employee_id: person.id, milestone: 'day_30' });
    expect((await again()).body.errors.employee_id).toHaveLength(1);
    await reviewer.post(`${path}/submit`, { ...written, signature });
    await hr.post(`${path}/share`, {});
    expect((await again()).body.errors.employee_id).toEqual(['This review has already been shared.']);
  });

  test('the reviewer who wrote it shares it, even with the rights of HR', async () => {
    const both = await make.employee({
      entity_id: entity.id,
      roles: [
        { role: 'HR', entity_ids: [entity.id] },
        { role: 'Manager', entity_ids: [entity.id] },
      ],
    });
    const person = await onProbation({ ...current, reporting_manager_id: both.id });
    const client = await as(both.user_id);
    const { body } = await hr.post('/api/probation-reviews', { employee_id: person.id, milestone: 'midpoint' });
    const path = `/api/probation-reviews/${body.data.id}`;
    expect((await client.post(`${path}/submit`, { ...written, signature })).status).toBe(200);
    expect((await client.post(`${path}/share`, {})).status).toBe(403);
  });
});

test('a confirmation cancels one that is open, and a decision too', async () => {
  const { person, path } = await opened('midpoint');
  const reason = 'Convincing from the first day.';
  await hr.post(`/api/employees/${person.id}/confirm`, { confirmation_date: dayFromNow(0), reason });
  expect((await hr.get(path)).body.data).toMatchObject({
    status: 'cancelled',
    cancel_reason: 'The probation was decided.',
  });
  const other = await opened('midpoint');
  const final = await probation.review({ employee: other.person, reviewer: lead, status: 'submitted' });
  const decision = await hr.post(`/api/probation-reviews/${final.id}/approve`, {
    signature,
    effective_date: dayFromNow(0),
  });
  expect(decision.status).toBe(200);
  expect((await hr.get(other.path)).body.data.status).toBe('cancelled');
});

test('while one is open the end can be extended, and the final review opens beside it', async () => {
  const { person } = await opened();
  const reason = 'Away for some weeks.';
  const extended = { probation_end_date: dayFromNow(120), reason };
  expect((await hr.post(`/api/employees/${person.id}/extend-probation`, extended)).status).toBe(200);
  expect((await hr.post('/api/probation-reviews', { employee_id: person.id })).status).toBe(201);
  expect((await openedOf(person)).map(({ milestone }) => milestone)).toEqual(['day_30', 'final']);
});
