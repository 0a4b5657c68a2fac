import { sql } from 'kysely';
import type { RawBuilder, SqlBool } from 'kysely';
import { holdsPermission } from '../access/scope.ts';
import type { Db } from '../db/connect.ts';

/** True when the person `e` is active and has a role that permits reviews. */
export const mayReviewEvaluations = sql<SqlBool>`e.activity_status = 'active' and e.deleted_at is null
  and ${holdsPermission('e', 'kpi-evaluation.review')}`;

/** SQL with one column, `id`: all people who can review. */
export const ableReviewers = sql`select e.id from employees e where ${mayReviewEvaluations}`;

type Choice = {
  /** The id of the reviewer; null when no candidate can review. */
  id: RawBuilder<number | null>;
  /** The id of the first candidate, able or not. */
  firstCandidate: RawBuilder<number | null>;
};

/**
 * The reviewer of a person at publishing: the first able one of reporting manager, team lead and department manager,
 * never the person. A query that uses it names `ableReviewers` in a `with`; `able` is that name.
 */
export function reviewerOf(person: string, department: string, able: string): Choice {
  const of = (alias: string, column: string) => sql.ref(`${alias}.${column}`);
  const others = [of(person, 'reporting_manager_id'), of(department, 'team_lead_id'), of(department, 'manager_id')].map(
    (candidate) => sql`nullif(${candidate}, ${of(person, 'id')})`,
  );
  // a hash look-up whatever the planner estimates: a join might compare all people with each other
  const ables = others.map((other) => sql`case when ${other} in (select id from ${sql.table(able)}) then ${other} end`);
  return { id: sql`coalesce(${sql.join(ables)})`, firstCandidate: sql`coalesce(${sql.join(others)})` };
}

/**
 * Marks new rows without an able reviewer, where the reviewer became inactive at the same moment. Waits for concurrent
 * deactivations: either side sees the other. `table` has the columns `reviewer_id` and `reviewer_missing_since`.
 */
export const markReviewersMissing = (
  db: Db,
  table: 'kpi_evaluations' | 'probation_reviews',
  ids: readonly number[],
): Promise<unknown> =>
  sql`
  with reviewers as materialized (
    select r.id, r.activity_status, r.deleted_at from employees r
    where r.id = any(array(select v.reviewer_id from ${sql.table(table)} v where v.id = any(${ids}::bigint[])))
    order by r.id for share)
  update ${sql.table(table)} v set reviewer_missing_since = now()
  from reviewers r
  where v.id = any(${ids}::bigint[]) and v.reviewer_id = r.id
    and (r.activity_status <> 'active' or r.deleted_at is not null)`.execute(db);
