import { sql } from 'kysely';
import type { RawBuilder, SqlBool } from 'kysely';
import { hasAccount, holdsPermission, holdsPermissionIn, isBelow } from '../../access/scope.ts';

const permission = 'probation-review.submit';
const isActive = (alias: string) =>
  sql<SqlBool>`${sql.ref(`${alias}.activity_status`)} = 'active' and ${sql.ref(`${alias}.deleted_at`)} is null
    and ${hasAccount(alias)}`;

/** True for a person who can review probations: active, with the permission through any role. */
export const mayReviewProbations = (alias: string) =>
  sql<SqlBool>`(${isActive(alias)} and ${holdsPermission(alias, permission)})`;

/** True if a role lets a person review in a company. */
export const holdsReviewIn = (alias: string, entity: RawBuilder<unknown>) =>
  holdsPermissionIn(alias, permission, entity);

/** `mayReviewProbations`, through a role that covers a company. */
export const mayReviewProbationsIn = (alias: string, entity: RawBuilder<unknown>) =>
  sql<SqlBool>`(${isActive(alias)} and ${holdsReviewIn(alias, entity)})`;

/**
 * The reviewer of the probation of `e` in the department `d`: the reporting manager, else the nearest head from the
 * department upwards. Takes the first who can review and is neither the person nor below; null if there is none.
 */
export const defaultReviewerAmong = (able: (alias: string) => RawBuilder<SqlBool>): RawBuilder<number | null> => sql`(
  select c.id
  from unnest(e.reporting_manager_id || heads_from(d.id)) with ordinality as a (id, place)
  join employees c on c.id = a.id
  where c.id <> e.id and ${able('c')} and not ${isBelow(sql`c.id`, sql`e.id`)}
  order by a.place limit 1)`;

export const defaultReviewer = defaultReviewerAmong(mayReviewProbations);
