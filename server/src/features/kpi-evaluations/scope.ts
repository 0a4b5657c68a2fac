import type { Permission } from '@tenure/contract';
import { sql } from 'kysely';
import type { RawBuilder, SqlBool } from 'kysely';
import { reachOf } from '../../access/actor.ts';
import type { Actor, Reach } from '../../access/actor.ts';
import { either, oneOf, peopleIn } from '../../access/scope.ts';

/** What decides whether an evaluation is in scope: where it was published, and where the person is today. */
export type EvaluationPlace = {
  employee_id: number;
  reviewer_id: number | null;
  entity_id: number;
  department_id: number;
  /** The person's department and manager today. */
  person_department_id: number;
  person_manager_id: number | null;
};

type Condition = RawBuilder<SqlBool>;

const listOf = (permissions: Permission | readonly Permission[]) =>
  typeof permissions === 'string' ? [permissions] : permissions;

/** Evaluations of people I manage today, and those published in departments I manage; never my own. */
function managed(actor: Actor, reach: Reach, alias: string): Condition[] {
  if (!reach.managed || actor.employee_id === null) return [];
  const people = peopleIn(
    actor,
    { everything: false, entity_ids: [], managed: true, managed_entity_ids: null, own: false },
    'managed_person',
  );
  const theirs = either([
    // gathered once, so that an index finds the evaluations
    sql<SqlBool>`${sql.ref(`${alias}.employee_id`)} = any(array(
      select managed_person.id from employees managed_person where ${people}))`,
    ...(actor.managed_departments.length > 0 ? [oneOf(alias, 'department_id', actor.managed_departments)] : []),
  ]);
  const within = reach.managed_entity_ids === null ? [] : [oneOf(alias, 'entity_id', reach.managed_entity_ids)];
  const others = sql<SqlBool>`${sql.ref(`${alias}.employee_id`)} <> ${actor.employee_id}`;
  return [sql<SqlBool>`(${sql.join([theirs, ...within, others], sql` and `)})`];
}

/** My own evaluations, and those I review, also after the person has moved. */
function mine(actor: Actor, reach: Reach, alias: string): Condition[] {
  if (!reach.own || actor.employee_id === null) return [];
  return ['employee_id', 'reviewer_id'].map(
    (column) => sql<SqlBool>`${sql.ref(`${alias}.${column}`)} = ${actor.employee_id}`,
  );
}

/**
 * Rows of `kpi_evaluations` in scope for any of the permissions, whatever has become of person and reviewer since: the
 * companies and departments of the day of publishing count, and today's people of whoever manages. What is mine, and
 * what I review, always belongs to it.
 */
export function evaluationsIn(actor: Actor, permissions: Permission | readonly Permission[], alias = 'v'): Condition {
  const reaches = listOf(permissions).map((permission) => reachOf(actor, permission));
  if (reaches.some((reach) => reach.everything)) return sql<SqlBool>`true`;
  const distinct = [...new Map(reaches.map((reach) => [JSON.stringify(reach), reach])).values()];
  const wide = distinct.flatMap((reach) => [
    ...(reach.entity_ids.length > 0 ? [oneOf(alias, 'entity_id', reach.entity_ids)] : []),
    ...managed(actor, reach, alias),
  ]);
  const own = distinct.find((reach) => reach.own);
  return either([...wide, ...(own ? mine(actor, own, alias) : [])]);
}

/** True when a permission covers an evaluation by its place alone: not because it is mine, or mine to review. */
export function coversEvaluation(actor: Actor, permission: Permission, place: EvaluationPlace): boolean {
  const reach = reachOf(actor, permission);
  if (reach.everything || reach.entity_ids.includes(place.entity_id)) return true;
  if (!reach.managed || actor.employee_id === null || place.employee_id === actor.employee_id) return false;
  const within = reach.managed_entity_ids === null || reach.managed_entity_ids.includes(place.entity_id);
  const theirs =
    place.person_manager_id === actor.employee_id ||
    actor.managed_departments.includes(place.person_department_id) ||
    actor.managed_departments.includes(place.department_id);
  return within && theirs;
}
