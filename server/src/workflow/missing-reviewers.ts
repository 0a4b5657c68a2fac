import type { Permission } from '@tenure/contract';
import { sql } from 'kysely';
import type { Db } from '../db/connect.ts';

/** The permission that the reviewer of a record needs. */
const permissionOf = {
  kpi_evaluations: 'kpi-evaluation.review',
  probation_reviews: 'probation-review.submit',
} as const satisfies Record<string, Permission>;

/**
 * Marks new rows, and rows with a new reviewer, whose reviewer became unable to act at the same moment. Waits for
 * concurrent changes, so that either side sees the other. `table` has the columns `reviewer_id` and
 * `reviewer_missing_since`.
 */
export async function markReviewersMissing(
  db: Db,
  table: keyof typeof permissionOf,
  ids: readonly number[],
): Promise<void> {
  const reviewers = sql`select v.reviewer_id from ${sql.table(table)} v where v.id = any(${ids}::bigint[])`;
  await sql`select from employees where id = any(array(${reviewers})) order by id for share`.execute(db);
  // a separate statement sees what was committed in the meantime
  await sql`
    -- each reviewer once: the planner would otherwise ask before it groups
    with assigned as materialized (select distinct x.reviewer_id from (${reviewers}) as x),
    unable as materialized (
      select reviewer_id from assigned where not can_review(reviewer_id, ${permissionOf[table]}))
    update ${sql.table(table)} v set reviewer_missing_since = now()
    from unable u
    where v.id = any(${ids}::bigint[]) and v.reviewer_id = u.reviewer_id and v.reviewer_missing_since is null`.execute(
    db,
  );
}
