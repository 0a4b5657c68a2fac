import type { Permission } from '@tenure/contract';
import { sql } from 'kysely';
import type { RawBuilder, SqlBool } from 'kysely';
import { ownLimits, reachOf } from './actor.ts';
import type { Actor, Holder, Reach } from './actor.ts';

/** Scopes as SQL. Each predicate is for one table alias; an empty reach is `false`, never "no filter". */

const noRows = sql<SqlBool>`false`;
const everything = sql<SqlBool>`true`;

export const either = (parts: RawBuilder<SqlBool>[]): RawBuilder<SqlBool> =>
  parts.length === 0 ? noRows : sql<SqlBool>`(${sql.join(parts, sql` or `)})`;

const column = (alias: string, name: string) => sql.ref(`${alias}.${name}`);
export const oneOf = (alias: string, name: string, ids: readonly number[]) =>
  sql<SqlBool>`${column(alias, name)} = any(${ids}::bigint[])`;

/** Whether the account of a row of `employees` is enabled. */
export const hasAccount = (alias: string) => sql<SqlBool>`exists (
  select from users w where w.id = ${column(alias, 'user_id')} and w.is_enabled)`;

/** Whether the person of a row of `employees` holds a permission by any role. */
export const holdsPermission = (alias: string, permission: Permission) => sql<SqlBool>`exists (
  select from role_assignments a join role_permissions p on p.role_id = a.role_id
  where a.user_id = ${column(alias, 'user_id')} and p.permission = ${permission})`;

/** `holdsPermission` through a role that reaches a company; through any role if there is no company. */
export const holdsPermissionIn = (alias: string, permission: Permission, entity: number | null | RawBuilder<unknown>) =>
  sql<SqlBool>`exists (
  select from role_assignments a join role_permissions p on p.role_id = a.role_id
  where a.user_id = ${column(alias, 'user_id')} and p.permission = ${permission}
    and coalesce(${entity}::bigint = any(a.entity_ids), true))`;

/** Restricts rows with a person in the column `person` to managed ones: never the actor or a superior. */
export const belowMe = (actor: Holder, alias: string, person: string): RawBuilder<SqlBool> =>
  actor.superiors.length === 0
    ? sql<SqlBool>`${column(alias, person)} <> ${actor.employee_id}`
    : sql<SqlBool>`${column(alias, person)} <> all(${[actor.employee_id, ...actor.superiors]}::bigint[])`;

/** True when `candidate` is below `person`: reports to them in the line, or leads in a department they head. */
export const isBelow = (candidate: RawBuilder<unknown>, person: RawBuilder<unknown>): RawBuilder<SqlBool> =>
  sql<SqlBool>`${person} in (select superiors_of(${candidate}))`;

/** Rows in companies within limits. */
const withinLimits = (alias: string, limits: readonly number[] | null) =>
  limits === null ? everything : oneOf(alias, 'entity_id', limits);

/** Reports of the managers below the actor, in the companies where the whole tree is managed. */
const treeOf = ({ managers_below: managers }: Holder, reach: Reach, alias: string): RawBuilder<SqlBool>[] =>
  managers.length > 0 && reach.tree_entity_ids?.length !== 0
    ? [
        sql<SqlBool>`(${oneOf(alias, 'reporting_manager_id', managers)} and ${withinLimits(alias, reach.tree_entity_ids)})`,
      ]
    : [];

/** `manages` as SQL for `employees`. */
function managedPeople(actor: Holder, reach: Reach, alias: string): RawBuilder<SqlBool>[] {
  if (!reach.managed || actor.employee_id === null) return [];
  const near = either([
    sql<SqlBool>`${column(alias, 'reporting_manager_id')} = ${actor.employee_id}`,
    ...(actor.managed_departments.length > 0 ? [oneOf(alias, 'department_id', actor.managed_departments)] : []),
  ]);
  const theirs = [
    sql<SqlBool>`(${near} and ${withinLimits(alias, reach.managed_entity_ids)})`,
    ...treeOf(actor, reach, alias),
  ];
  return [sql<SqlBool>`(${either(theirs)} and ${belowMe(actor, alias, 'id')})`];
}

/** Rows in the companies and departments of a reach. */
export const placesIn = (reach: Reach, alias: string, department = 'department_id'): RawBuilder<SqlBool>[] => [
  ...(reach.entity_ids.length > 0 ? [oneOf(alias, 'entity_id', reach.entity_ids)] : []),
  ...(reach.department_ids.length > 0 ? [oneOf(alias, department, reach.department_ids)] : []),
];

/** Records about people who are in the departments of a reach today; collected once, so that an index finds them. */
export const peopleOfDepartments = ({ department_ids: ids }: Reach, alias: string): RawBuilder<SqlBool>[] =>
  ids.length > 0
    ? [
        sql<SqlBool>`${column(alias, 'employee_id')} = any(array(
          select m.id from employees m where m.deleted_at is null and m.department_id = any(${ids}::bigint[])))`,
      ]
    : [];

/** Rows with company and department that a reach covers regardless of the person: `reachesDepartment` as SQL. */
export const wideIn = (reach: Reach, alias: string, department?: string): RawBuilder<SqlBool> =>
  reach.everything ? everything : either(placesIn(reach, alias, department));

/** Rows of `employees` that a reach covers. */
export function peopleIn(actor: Holder, reach: Reach, alias = 'e'): RawBuilder<SqlBool> {
  if (reach.everything) return everything;
  return either([
    ...placesIn(reach, alias),
    ...managedPeople(actor, reach, alias),
    ...(reach.own && actor.employee_id !== null ? [sql<SqlBool>`${column(alias, 'id')} = ${actor.employee_id}`] : []),
  ]);
}

/** Rows of `departments` that a reach covers. */
export function departmentsIn(actor: Holder, reach: Reach, alias = 'd'): RawBuilder<SqlBool> {
  if (reach.everything) return everything;
  const parts = placesIn(reach, alias, 'id');
  if (reach.managed && actor.managed_departments.length > 0) {
    const within = withinLimits(alias, reach.managed_entity_ids);
    parts.push(sql<SqlBool>`(${oneOf(alias, 'id', actor.managed_departments)} and ${within})`);
  }
  return either(parts);
}

const whateverIsManaged: Reach = {
  everything: false,
  entity_ids: [],
  department_ids: [],
  managed: true,
  managed_entity_ids: null,
  tree_entity_ids: [],
  own: false,
};
/** People the holder manages with a role for direct reports, independent of permissions. */
export const managedPeopleOf = (holder: Holder, alias = 'e') => peopleIn(holder, whateverIsManaged, alias);
/** The same for a role with the whole tree. */
export const treePeopleOf = (holder: Holder, alias = 'e') =>
  peopleIn(holder, { ...whateverIsManaged, tree_entity_ids: null }, alias);
/** Departments the holder manages, independent of permissions. */
export const managedDepartmentsOf = (holder: Holder, alias = 'd') => departmentsIn(holder, whateverIsManaged, alias);

/** Rows of `entities`, or of a table with a company column, that a reach covers. */
export function entitiesIn(reach: Reach, reference: string): RawBuilder<SqlBool> {
  if (reach.everything) return everything;
  return reach.entity_ids.length > 0
    ? sql<SqlBool>`${sql.ref(reference)} = any(${reach.entity_ids}::bigint[])`
    : noRows;
}

/** Companies that a reach covers, or that have a department it covers: those that a form about a person may name. */
export const companiesNamed = (reach: Reach, reference: string): RawBuilder<SqlBool> =>
  reach.department_ids.length === 0
    ? entitiesIn(reach, reference)
    : sql<SqlBool>`(${entitiesIn(reach, reference)} or ${sql.ref(reference)} in (
        select x.entity_id from departments x where x.id = any(${reach.department_ids}::bigint[])))`;

/** People the actor sees at all; `employees.view_all` widens it. */
export const visiblePeople = (actor: Actor, alias = 'e') =>
  peopleIn(actor, reachOf(actor, 'employees.view', 'employees.view_all'), alias);

/** People by family name, then first name: the order of lists, which has indexes. */
export const byName = (alias: string) =>
  sql.join(['last_name_sort', 'first_name_sort', 'id'].map((name) => column(alias, name)));

/** Sort key by name; people whose card the actor does not see sort by the shown name. */
export const nameOrder = (actor: Actor, alias = 'e') => sql`case when ${visiblePeople(actor, alias)}
  then ${column(alias, 'last_name_sort')} || ' ' || ${column(alias, 'first_name_sort')} else fold(${column(alias, 'name')}) end`;

/** People a permission of the actor covers and whom the actor also sees. */
export const peopleFor = (actor: Actor, permission: Permission, alias = 'e') =>
  peopleIn(actor, reachOf(actor, permission), alias);

export const visibleDepartments = (actor: Actor, alias = 'd') =>
  departmentsIn(actor, reachOf(actor, 'departments.view'), alias);

/** Companies and departments that limits of roles name to the actor: visible ones, and those of the actor's own roles. */
export const limitsNamed = (actor: Actor, alias: { entity: string; department: string }) => {
  const own = ownLimits(actor);
  return {
    entity: either([
      companiesNamed(reachOf(actor, 'entities.view'), `${alias.entity}.id`),
      oneOf(alias.entity, 'id', own.entity_ids),
    ]),
    department: either([
      visibleDepartments(actor, alias.department),
      oneOf(
        alias.department,
        'id',
        own.named.map(({ id }) => id),
      ),
    ]),
  };
};

/** States in which the employee and all readers in scope see a probation review in full. */
export const shownReviewStates = ['approved', 'reverted'] as const;

/** Excludes the actor's own undecided probation reviews, so that the person does not learn of them. */
export const knownReviews = ({ employee_id: me }: Actor, alias = 'v') =>
  sql<SqlBool>`(${column(alias, 'employee_id')} is distinct from ${me}::bigint
    or ${column(alias, 'status')} = any(${shownReviewStates}::text[]))`;
