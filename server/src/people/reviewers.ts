import { sql } from 'kysely';
import type { RawBuilder, SqlBool } from 'kysely';
import type { Db } from '../db/connect.ts';

/** Whether the person `e` may review, being active and permitted to by any role. */
export const isAble = sql<SqlBool>`e.activity_status = 'active' and e.deleted_at is null and e.user_id in (
  select a.user_id from role_assignments a join role_permissions p on p.role_id = a.role_id
  where p.permission = 'kpi-evaluation.review')`;

/** SQL with one column, `id`: everybody who may review. */
export const ableReviewers = sql`select e.id from employees e where ${isAble}`;

type Choice = {
  /** The id of who reviews; null when nobody can. */
  id: RawBuilder<number | null>;
  /** The id of who would review if everybody was able to. */
  first: RawBuilder<number | null>;
};

/**
 * Who reviews a person from the day of publishing on: the reporting manager, else the team lead, else the manager of
 * the department, the first who is able to and not the person. A query that uses it names `ableReviewers` in a `with`.
 * @param able the name of `ableReviewers` in that query
 */
export function reviewerOf(person: string, department: string, able: string): Choice {
  const of = (alias: string, column: string) => sql.ref(`${alias}.${column}`);
  const others = [of(person, 'reporting_manager_id'), of(department, 'team_lead_id'), of(department, 'manager_id')].map(
    (candidate) => sql`nullif(${candidate}, ${of(person, 'id')})`,
  );
  // looked up in a hash, whoever plans how many people there are: a join might compare everybody with everybody
  const ables = others.map((other) => sql`case when ${other} in (select id from ${sql.table(able)}) then ${other} end`);
  return { id: sql`coalesce(${sql.join(ables)})`, first: sql`coalesce(${sql.join(others)})` };
}

/**
 * Says of new rows since when nobody can review them, where who should became inactive at the same moment. Whoever does
 * is waited for: either side sees the other.
 * @param table where the rows are; both name `reviewer_id` and `reviewer_missing_since`
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
