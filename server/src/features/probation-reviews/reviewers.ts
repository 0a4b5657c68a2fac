import { sql } from 'kysely';
import type { RawBuilder, SqlBool } from 'kysely';

/** Whether a person may review probations, being active and permitted to by any role. */
export const isAble = (alias: string) => sql<SqlBool>`(
  ${sql.ref(`${alias}.activity_status`)} = 'active' and ${sql.ref(`${alias}.deleted_at`)} is null and exists (
    select from role_assignments a join role_permissions p on p.role_id = a.role_id
    where a.user_id = ${sql.ref(`${alias}.user_id`)} and p.permission = 'probation-review.submit'))`;

/** Whether a role lets a person review in a company. */
export const mayReviewIn = (alias: string, entity: RawBuilder<unknown>) => sql<SqlBool>`exists (
  select from role_assignments a join role_permissions p on p.role_id = a.role_id
  where a.user_id = ${sql.ref(`${alias}.user_id`)} and p.permission = 'probation-review.submit'
    and (a.entity_ids is null or ${entity} = any(a.entity_ids)))`;

/** `isAble`, by a role that reaches a company. */
export const isAbleIn = (alias: string, entity: RawBuilder<unknown>) =>
  sql<SqlBool>`(${isAble(alias)} and ${mayReviewIn(alias, entity)})`;

/**
 * Who reviews the probation of `e` in the department `d`: the reporting manager, else the manager of the department,
 * the first who is able to and not the person; null without one.
 */
export function defaultReviewerAmong(able: (alias: string) => RawBuilder<SqlBool>): RawBuilder<number | null> {
  const ifAble = (candidate: RawBuilder<unknown>) => sql`(
    select c.id from employees c where c.id = ${candidate} and c.id <> e.id and ${able('c')})`;
  return sql`coalesce(${ifAble(sql`e.reporting_manager_id`)}, ${ifAble(sql`d.manager_id`)})`;
}

export const defaultReviewer = defaultReviewerAmong(isAble);
