import { probationStatuses } from '@tenure/contract';
import { expect, test } from 'vitest';
import { connect } from '../server/src/db/connect.ts';
import { startApp } from '../server/src/testing/app.ts';
import { brokenInvariants } from '../server/src/invariants/invariants.ts';
import { insertDemo } from './demo-people.ts';
import { insertDemoProbation } from './demo-probation.ts';

const { deps, as, make, database } = await startApp();
await make.admin();
const cast = await deps.db.transaction().execute(async (trx) => {
  const made = await insertDemo(trx, Temporal.Now.plainDateISO('UTC'));
  await insertDemoProbation(trx, deps, made);
  return made;
});
const hr = await as(cast.hr.user_id);
type Review = { id: number; status: string; outcome: string | null; previous_review_id: number | null };
const reviews = (await hr.get('/api/probation-reviews?per_page=100')).body.data as Review[];

test('the demo has probation reviews in every state, decided in every way, and chains of them', () => {
  expect(new Set(reviews.map(({ status }) => status))).toEqual(new Set(probationStatuses));
  expect(new Set(reviews.map(({ outcome }) => outcome))).toEqual(new Set([null, 'confirm', 'extend', 'terminate']));
  expect(reviews.filter(({ previous_review_id }) => previous_review_id !== null)).toHaveLength(2);
});

test('probations end with every problem there is', async () => {
  const problems = ['no_end_date', 'no_reviewer', 'no_review', 'overdue'];
  const found = await Promise.all(
    problems.map(
      async (problem) => (await hr.get(`/api/probation-reviews/upcoming?problem=${problem}`)).body.meta.total,
    ),
  );
  expect(found.every((total) => total > 0)).toBe(true);
});

test('of people without a sign-in one decision waits for its talk, and one was acknowledged on paper', async () => {
  const byHand: { person_signs_in: boolean; talked_on: string | null; sheet: unknown }[] = await Promise.all(
    reviews.map(async ({ id }) => (await hr.get(`/api/probation-reviews/${id}`)).body.data),
  ).then((all) => all.filter(({ person_signs_in }) => !person_signs_in));
  expect(byHand.map(({ talked_on, sheet }) => [talked_on !== null, sheet !== null])).toEqual(
    expect.arrayContaining([
      [false, false],
      [true, true],
    ]),
  );
});

test('signatures are typed and drawn, and stand for what is stored', async () => {
  const methods = new Set<string>();
  for (const { id, status } of reviews.filter((review) => ['submitted', 'approved'].includes(review.status))) {
    const { data } = (await hr.get(`/api/probation-reviews/${id}/verify`)).body;
    expect([status, data.matches]).toEqual([status, true]);
    for (const { method } of data.signatures as { method: string }[]) methods.add(method);
  }
  expect(methods).toEqual(new Set(['typed', 'drawn']));
});

test('nothing of it could not have come about', async () => {
  const { db: owner } = connect({ url: database.ownerUrl, max: 2 });
  expect(await brokenInvariants(owner, deps.config.DATA_DIR)).toEqual([]);
  await owner.destroy();
});
