import { expect, test } from 'vitest';
import { startApp } from '../../testing/app.ts';
import { evaluationTesting } from '../../testing/evaluations.ts';
import { dayFromNow, kpiMaker } from '../../testing/make-kpi.ts';

/** The next reviewer can use what a former reviewer wrote and did not submit. */

const app = await startApp();
const { as, make } = app;
const kpi = kpiMaker(app);
const { itemsOf, rowOf, historyOf, unchanged } = evaluationTesting(app);
const entity = await make.entity();
const hr = await make.employee({ entity_id: entity.id, roles: ['HR'] });
const person = await make.employee({ entity_id: entity.id });
const leader = (display_name?: string) =>
  make.employee({ entity_id: entity.id, roles: ['TeamLead'], ...(display_name && { display_name }) });
const [former, next] = [await leader('Omar Diaz'), await leader()];
const [asHr, asPerson, asFormer, asNext] = [
  await as(hr.user_id),
  await as(person.user_id),
  await as(former.user_id),
  await as(next.user_id),
];
const url = (id: number, step = '') => `/api/kpi-evaluations/${id}${step && `/${step}`}`;
const reason = 'The reviewer is away for long.';
const give = (id: number, to: { id: number }) => asHr.put(url(id, 'reviewer'), { reviewer_id: to.id, reason });

/** An evaluation in which a reviewer wrote a draft before another one was assigned. */
async function handed(cycleFields: Parameters<typeof kpi.cycle>[0] = {}) {
  const cycle = await kpi.cycle({ status: 'published', ...cycleFields });
  const made = await kpi.evaluation({
    status: 'manager_review',
    employee: person,
    reviewer: former,
    cycle_id: cycle.id,
  });
  const [first] = made.items;
  const items = [{ id: first?.id, manager_score: 4, manager_comment: 'On time.' }];
  expect((await asFormer.put(url(made.id), { items, strengths: 'Negotiation' })).status).toBe(200);
  expect((await give(made.id, next)).status).toBe(200);
  return { id: made.id, item: first?.id };
}
const draftOf = async (client: typeof asHr, id: number) => (await client.get(url(id))).body.data;

test('the new reviewer starts with empty fields and reads the former draft; the person and the former reviewer do not', async () => {
  const { id, item } = await handed();
  expect((await itemsOf(id))[0]).toMatchObject({ manager_score: null });
  const shown = await draftOf(asNext, id);
  expect(shown).toMatchObject({ strengths: null, allowed_actions: expect.arrayContaining(['former-draft']) });
  expect(shown.former_draft).toMatchObject({ reviewer: 'Omar Diaz', strengths: 'Negotiation', manager_comment: null });
  expect(shown.former_draft.items[0]).toEqual({
    id: item,
    manager_not_applicable: false,
    manager_score: 4,
    manager_comment: 'On time.',
    manager_actual_value: null,
  });
  expect(await draftOf(asPerson, id)).toMatchObject({ former_draft: null });
  await unchanged(id, async () => {
    expect((await asPerson.post(url(id, 'former-draft'), { decision: 'take' })).status).toBe(403);
    expect((await asFormer.get(url(id))).status).toBe(404);
    expect((await asFormer.post(url(id, 'former-draft'), { decision: 'take' })).status).toBe(404);
  });
});

test('taking it over replaces what the new reviewer wrote; it is a draft of theirs then', async () => {
  const { id } = await handed();
  await asNext.put(url(id), { strengths: 'Mine', improvements: 'Planning' });
  const { body } = await asNext.post(url(id, 'former-draft'), { decision: 'take' });
  expect(body.data).toMatchObject({ former_draft: null, strengths: 'Negotiation', improvements: null });
  expect((await itemsOf(id))[0]).toMatchObject({ manager_score: 4, manager_comment: 'On time.' });
  expect(body.data.allowed_actions).not.toContain('former-draft');
  expect((await historyOf(id)).at(-1)).toEqual([
    'former-draft',
    'manager_review',
    'manager_review',
    null,
    1,
    next.user_id,
  ]);
  expect((await asNext.post(url(id, 'former-draft'), { decision: 'take' })).status).toBe(422);
});

test('discarding leaves the present draft, and submitting the review erases the former one', async () => {
  const discarded = await handed();
  await asNext.put(url(discarded.id), { strengths: 'Mine' });
  const { body } = await asNext.post(url(discarded.id, 'former-draft'), { decision: 'discard' });
  expect(body.data).toMatchObject({ former_draft: null, strengths: 'Mine' });
  const { id } = await handed();
  const items = (await itemsOf(id)).map((item) => ({ id: item['id'], manager_score: 5, manager_comment: 'Good.' }));
  expect((await asNext.post(url(id, 'manager-review'), { items })).status).toBe(200);
  expect(await rowOf(id)).toMatchObject({ status: 'hr_review', former_draft: null });
});

test('it outlives a further change without a word, and is replaced by a later draft', async () => {
  const { id } = await handed();
  const third = await leader();
  expect((await give(id, third)).status).toBe(200);
  const asThird = await as(third.user_id);
  expect((await draftOf(asThird, id)).former_draft.strengths).toBe('Negotiation');
  await asThird.put(url(id), { strengths: 'Third' });
  expect((await give(id, next)).status).toBe(200);
  expect((await draftOf(asNext, id)).former_draft.strengths).toBe('Third');
});

test('a draft is kept when work is handed over, and not decided on while the step is closed', async () => {
  const leaver = await leader('Ida Berg');
  const { id } = await kpi.evaluation({ status: 'manager_review', employee: person, reviewer: leaver });
  await (await as(leaver.user_id)).put(url(id), { improvements: 'Planning' });
  const body = { reason: 'Moves to another company.', reassign_to: next.id };
  expect((await asHr.post(`/api/employees/${leaver.id}/deactivate`, body)).status).toBe(200);
  const shown = await draftOf(asNext, id);
  expect(shown.former_draft).toMatchObject({ reviewer: 'Ida Berg', improvements: 'Planning' });
  const later = await handed({ manager_review_opens_on: dayFromNow(-9), manager_review_closes_on: dayFromNow(9) });
  await app.owner.query(
    `update kpi_cycles set manager_review_closes_on = current_date - 1, self_assessment_closes_on = null
     where id = (select cycle_id from kpi_evaluations where id = $1)`,
    [later.id],
  );
  expect((await asNext.post(url(later.id, 'former-draft'), { decision: 'take' })).status).toBe(422);
});
