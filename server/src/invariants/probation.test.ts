import { sql } from 'kysely';
import { afterAll, expect, test } from 'vitest';
import { connect } from '../db/connect.ts';
import { openDueReviews } from '../features/probation-reviews/open-due.ts';
import { startApp } from '../testing/app.ts';
import type { Answer } from '../testing/client.ts';
import { brokenInvariants } from './invariants.ts';
import { dayFromNow } from '../testing/make-kpi.ts';

const { as, make, database, deps } = await startApp();
const { db: owner } = connect({ url: database.ownerUrl, max: 2 });
const folder = deps.config.DATA_DIR;
afterAll(() => owner.destroy());

await make.admin();
const { id: department_id } = await make.department();
const hr = await as((await make.employee({ department_id, roles: ['HR'] })).user_id);
const boss = await make.employee({ department_id, roles: ['Manager'] });
const bosses = await as(boss.user_id);
const ok = ({ status, body }: Answer) => {
  expect([200, 201], JSON.stringify(body)).toContain(status);
  return body.data;
};
const onProbation = () =>
  make.employee({
    department_id,
    reporting_manager_id: boss.id,
    employment_lifecycle: 'probationary',
    joining_date: dayFromNow(-80),
    probation_start_date: dayFromNow(-80),
    probation_end_date: dayFromNow(5),
  });
const typed = (typed_name: string) => ({ method: 'typed', typed_name });
const path = '/api/probation-reviews';

/** One is extended and reviewed again, the other stays at its start. */
const [ada, ben] = [await onProbation(), await onProbation()];
await openDueReviews({ deps, now: Temporal.Now.instant() });
const [first] = ok(await hr.get(`${path}?employee_id=${ada.id}`));
ok(
  await bosses.post(`${path}/${first.id}/submit`, {
    performance_rating: 3,
    comments: 'Needs a little longer.',
    recommendation: 'extend',
    extension_months: 1,
    signature: typed('The Boss'),
  }),
);
ok(await hr.post(`${path}/${first.id}/approve`, { signature: typed('Human Resources') }));
await openDueReviews({ deps, now: Temporal.Now.instant().add({ hours: 24 * 20 }) });

test('a probation that was played in order breaks nothing, also with its counts folded', async () => {
  expect(ok(await hr.get(`${path}?employee_id=${ada.id}`))).toHaveLength(2);
  expect(await brokenInvariants(owner, folder)).toEqual([]);
  await sql`select fold_probation_review_counts()`.execute(owner);
  expect(await brokenInvariants(owner, folder)).toEqual([]);
});

const open = `where status = 'pending' and employee_id = ${ben.id}`;
const decided = `where status = 'approved'`;
test.each<[rule: string, plant: string]>([
  ['a count of probation reviews', `update probation_review_counts set reviews = reviews + 1`],
  [
    'two open',
    `drop index probation_reviews_open_key; drop index probation_reviews_end_key; update probation_reviews set employee_id = ${ada.id} ${open}`,
  ],
  [
    'decided twice',
    `drop index probation_reviews_end_key; insert into probation_reviews (employee_id, entity_id,
     department_id, probation_end_date, due_date, status, outcome, effective_date, decided_at, person_sort)
     select employee_id, entity_id, department_id, probation_end_date, due_date, status, outcome, effective_date,
            decided_at, person_sort from probation_reviews ${decided}`,
  ],
  ['who left', `update employees set employment_lifecycle = 'resigned' where id = ${ben.id}`],
  ['another end', `update employees set probation_end_date = current_date + 400 where id = ${ben.id}`],
  ['the own probation', `update probation_reviews set reviewer_id = employee_id ${open}`],
  ['signature of HR', `update probation_signatures set valid = false, voided_at = now() where role = 'hr'`],
  ['former round', `update probation_reviews set round = 2 ${decided}`],
  ['elsewhere than its trail', `update probation_reviews set status = 'cancelled' ${open}`],
  ['extended otherwise', `update employees set extension_count = 0 where id = ${ada.id}`],
  ['another name', `update probation_reviews set person_sort = 'x' ${open}`],
  ['nobody can write it', `update probation_reviews set reviewer_id = null ${open}`],
  ['none before', `update probation_reviews set sequence = 1 where previous_review_id is not null`],
  ['another hash', `update probation_signatures set content_hash = repeat('0', 64) where role = 'hr'`],
  ['something else is stored', `update probation_reviews set comments = 'Excellent.' ${decided}`],
])('%s: seen when planted', async (rule, plant) => {
  const transaction = await owner.startTransaction().execute();
  try {
    await sql.raw(plant).execute(transaction);
    expect((await brokenInvariants(transaction, folder)).join('\n')).toContain(rule);
  } finally {
    await transaction.rollback().execute();
  }
});
