import type { Permission } from '@tenure/contract';
import { sql } from 'kysely';
import type { RawBuilder, SqlBool } from 'kysely';
import { deputisedBy } from './absences.ts';
import { holds, reachOf } from './actor.ts';
import type { Actor, Reach } from './actor.ts';
import { belowMe, either, peopleIn, peopleOfDepartments, placesIn } from './scope.ts';

type Condition = RawBuilder<SqlBool>;
type Permissions = Permission | readonly Permission[];

const reachesOf = (actor: Actor, permissions: Permissions): Reach[] => [
  ...new Map(
    [permissions].flat().map((permission: Permission) => {
      const reach = reachOf(actor, permission);
      return [JSON.stringify(reach), reach] as const;
    }),
  ).values(),
];

/**
 * Evaluations of people whom the actor manages today, and those published in managed departments; never the actor's own
 * or a superior's.
 */
function managed(actor: Actor, reach: Reach, alias: string): Condition[] {
  if (!reach.managed || actor.employee_id === null) return [];
  const onlyManaged = { ...reach, everything: false, entity_ids: [], department_ids: [], own: false };
  const [person, department, entity] = ['employee_id', 'department_id', 'entity_id'].map((name) =>
    sql.ref(`${alias}.${name}`),
  );
  const { managed_entity_ids: companies } = reach;
  const within = companies === null ? sql`` : sql`and ${entity} = any(${companies}::bigint[])`;
  // collects the people once, so that an index finds their evaluations; the indexes of people skip deleted ones
  return [
    sql<SqlBool>`(${belowMe(actor, alias, 'employee_id')} and (
      ${person} = any(array(
        select m.id from employees m where m.deleted_at is null and ${peopleIn(actor, onlyManaged, 'm')}))
      or (${department} = any(${actor.managed_departments}::bigint[]) ${within})))`,
  ];
}

/** The actor's own evaluations and those they review, even after the person has moved. */
function mine(actor: Actor, reach: Reach, alias: string, deputies: boolean): Condition[] {
  if (!reach.own || actor.employee_id === null) return [];
  const own = ['employee_id', 'reviewer_id'].map(
    (name) => sql<SqlBool>`${sql.ref(`${alias}.${name}`)} = ${actor.employee_id}`,
  );
  return [...own, ...(deputies ? covered(actor, actor.employee_id, alias) : [])];
}

/** Evaluations under a permission that belong to the actor in any company: their own, and those they review. */
export const ownIn = (actor: Actor, permission: Permission, alias = 'v'): Condition =>
  either(mine(actor, reachOf(actor, permission), alias, true));

/** Evaluations to review for a reviewer the actor stands in for, and those the actor submitted in that absence. */
const covered = (actor: Actor, me: number, alias: string): Condition[] =>
  holds(actor, 'kpi-evaluation.review')
    ? [
        sql<SqlBool>`((${sql.ref(`${alias}.status`)} = 'manager_review'
          or ${sql.ref(`${alias}.manager_submitted_by`)} = ${actor.user_id}) and ${deputisedBy(me, alias, 'kpi_reviews')})`,
      ]
    : [];

const everything = sql<SqlBool>`true`;

const wide = (actor: Actor, reach: Reach, alias: string): Condition[] => [
  ...(reach.everything ? [everything] : []),
  ...placesIn(reach, alias),
  ...peopleOfDepartments(reach, alias),
  ...managed(actor, reach, alias),
];

/**
 * Rows of `kpi_evaluations` in scope for any of the permissions: by company and department at publishing, and by
 * today's managers. The actor's own evaluations and those they review are always included. With `deputies`, so are
 * those whose absent reviewer the actor stands in for.
 */
export function evaluationsIn(
  actor: Actor,
  permissions: Permissions,
  alias = 'v',
  { deputies = true }: { deputies?: boolean } = {},
): Condition {
  const reaches = reachesOf(actor, permissions);
  if (reaches.some((reach) => reach.everything)) return everything;
  const [own] = reaches.filter((reach) => reach.own);
  return either([
    ...reaches.flatMap((reach) => wide(actor, reach, alias)),
    ...(own ? mine(actor, own, alias, deputies) : []),
  ]);
}

/** Evaluations of other people that the scope of a permission covers: `covers` of a capacity, as SQL. */
export const othersIn = (actor: Actor, permission: Permission, alias = 'v'): Condition => {
  const covered = either(wide(actor, reachOf(actor, permission), alias));
  if (actor.employee_id === null) return covered;
  return sql<SqlBool>`(${covered} and ${sql.ref(`${alias}.employee_id`)} <> ${actor.employee_id})`;
};
