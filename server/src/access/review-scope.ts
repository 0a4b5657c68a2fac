import type { Permission } from '@tenure/contract';
import { sql } from 'kysely';
import type { RawBuilder, SqlBool } from 'kysely';
import { deputisedBy } from './absences.ts';
import { holds, reachOf } from './actor.ts';
import type { Actor, Reach } from './actor.ts';
import { belowMe, either, peopleIn, peopleOfDepartments, placesIn, shownReviewStates } from './scope.ts';

type Condition = RawBuilder<SqlBool>;

export const shownStates = shownReviewStates;

/** Reviews shown to their subject, as SQL for `probation_reviews v`. */
export const shownToSubject = sql<SqlBool>`v.status = any(${shownStates}::text[])`;

const column = (alias: string, name: string) => sql.ref(`${alias}.${name}`);

/** Reviews of people the actor manages today, and those in managed departments. */
function managed(actor: Actor, reach: Reach, alias: string): Condition[] {
  if (!reach.managed || actor.employee_id === null) return [];
  const onlyManaged = { ...reach, everything: false, entity_ids: [], department_ids: [], own: false };
  const { managed_entity_ids: companies } = reach;
  const within = companies === null ? sql`` : sql`and ${column(alias, 'entity_id')} = any(${companies}::bigint[])`;
  // collects the people once, so that an index finds their reviews
  return [
    sql<SqlBool>`${column(alias, 'employee_id')} = any(array(
      select m.id from employees m where m.deleted_at is null and ${peopleIn(actor, onlyManaged, 'm')}))`,
    sql<SqlBool>`(${column(alias, 'department_id')} = any(${actor.managed_departments}::bigint[]) ${within}
      and ${belowMe(actor, alias, 'employee_id')})`,
  ];
}

const wide = (actor: Actor, reach: Reach, alias: string): Condition[] =>
  reach.everything
    ? [sql<SqlBool>`true`]
    : [...placesIn(reach, alias), ...peopleOfDepartments(reach, alias), ...managed(actor, reach, alias)];

const isMine = (actor: Actor, alias: string): Condition =>
  sql<SqlBool>`${column(alias, 'employee_id')} = ${actor.employee_id}::bigint`;
const isNotMine = (actor: Actor, alias: string): Condition =>
  actor.employee_id === null
    ? sql<SqlBool>`true`
    : sql<SqlBool>`${column(alias, 'employee_id')} <> ${actor.employee_id}`;

/** Reviews of other people that the scope of a permission covers: `covers` of a capacity, as SQL. */
export const othersIn = (actor: Actor, permission: Permission, alias = 'v'): Condition =>
  sql<SqlBool>`(${either(wide(actor, reachOf(actor, permission), alias))} and ${isNotMine(actor, alias)})`;

/** Open reviews whose reviewer the actor stands in for. */
const covered = (actor: Actor, me: number, alias: string): Condition[] =>
  holds(actor, 'probation-review.submit')
    ? [
        sql<SqlBool>`(${column(alias, 'status')} in ('pending', 'sent_back', 'submitted')
          and ${deputisedBy(me, alias, 'probation_reviews')})`,
      ]
    : [];

/** Reviews that the actor writes, in any company: as the reviewer, and for an absent one. */
const toWrite = (actor: Actor, me: number, alias: string): Condition[] => [
  sql<SqlBool>`${column(alias, 'reviewer_id')} = ${me}`,
  ...covered(actor, me, alias),
];

/** Reviews that belong to the actor in any company: their own once decided, and those to write. */
export function ownIn(actor: Actor, alias = 'v'): Condition {
  if (actor.employee_id === null) return sql<SqlBool>`false`;
  const decided = sql<SqlBool>`${column(alias, 'status')} = any(${shownStates}::text[])`;
  return sql<SqlBool>`((${isMine(actor, alias)} and ${decided})
    or (${isNotMine(actor, alias)} and ${either(toWrite(actor, actor.employee_id, alias))}))`;
}

/**
 * Rows of `probation_reviews` in scope for any of the permissions: by company and department (the person's until the
 * decision), by today's managers, and by reviewer. The actor's own reviews are included once decided, whatever the
 * permissions; for a token with companies, only those of its companies.
 */
export function reviewsIn(actor: Actor, permissions: Permission | readonly Permission[], alias = 'v'): Condition {
  const reaches = [permissions].flat().map((permission: Permission) => reachOf(actor, permission));
  const others = reaches.flatMap((reach) => wide(actor, reach, alias));
  if (actor.employee_id === null) return either(others);
  const decided = sql<SqlBool>`${column(alias, 'status')} = any(${shownStates}::text[])`;
  if (!reaches.some(({ own }) => own))
    return sql<SqlBool>`((${decided} or ${isNotMine(actor, alias)}) and ${either(others)})`;
  const theirs = reaches.some(({ everything }) => everything)
    ? sql<SqlBool>`true`
    : either([...others, ...toWrite(actor, actor.employee_id, alias)]);
  return sql<SqlBool>`((${isMine(actor, alias)} and ${decided}) or (${isNotMine(actor, alias)} and ${theirs}))`;
}
