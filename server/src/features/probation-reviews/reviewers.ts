import { sql } from 'kysely';
import type { RawBuilder, SqlBool } from 'kysely';
import { holdsPermission, holdsPermissionIn } from '../../access/scope.ts';

const permission = 'probation-review.submit';
const isActive = (alias: string) =>
  sql<SqlBool>`${sql.ref(`${alias}.activity_status`)} = 'active' and ${sql.ref(`${alias}.deleted_at`)} is null`;

/** Whether a person may review probations, being active and permitted to by any role. */
export const mayReviewProbations = (alias: string) =>
  sql<SqlBool>`(${isActive(alias)} and ${holdsPermission(alias, permission)})`;

/** Whether a role lets a person review in a company. */
export const holdsReviewIn = (alias: string, entity: RawBuilder<unknown>) =>
  holdsPermissionIn(alias, permission, entity);

/** `mayReviewProbations`, by a role that reaches a company. */
export const mayReviewProbationsIn = (alias: string, entity: RawBuilder<unknown>) =>
  sql<SqlBool>`(${isActive(alias)} and ${holdsReviewIn(alias, entity)})`;

/**
 * Who reviews the probation of `e` in the department `d`: the reporting manager, else the manager of the department,
 * the first who is able to and not the person; null without one.
 */
export function defaultReviewerAmong(able: (alias: string) => RawBuilder<SqlBool>): RawBuilder<number | null> {
  const ifAble = (candidate: RawBuilder<unknown>) => sql`(
    select c.id from employees c where c.id = ${candidate} and c.id <> e.id and ${able('c')})`;
  return sql`coalesce(${ifAble(sql`e.reporting_manager_id`)}, ${ifAble(sql`d.manager_id`)})`;
}

export const defaultReviewer = defaultReviewerAmong(mayReviewProbations);
