import { sql } from 'kysely';
import type { RawBuilder, SqlBool } from 'kysely';
import type { Actor } from '../../access/actor.ts';
import { hasAccount, visiblePeople } from '../../access/scope.ts';
import { exclusionOf } from './plan.ts';
import { companiesFor, cyclesFor } from './policy.ts';

/** People whom the rules of a published cycle include, and who have neither an evaluation nor a decision. */

type Condition = RawBuilder<SqlBool>;

/** Members `e` of the published departments `r` of cycles `c`, with the valid evaluation `v` and the decision `l`. */
export const members = sql`kpi_cycles c
  join kpi_cycle_departments r on r.cycle_id = c.id and r.is_published
  join employees e on e.department_id = r.department_id and e.deleted_at is null
  left join kpi_evaluations v on v.cycle_id = c.id and v.employee_id = e.id and v.status <> 'cancelled'
  left join kpi_cycle_left_out l on l.cycle_id = c.id and l.employee_id = e.id`;

// evaluated only for the few people who meet all other conditions
const dropped = sql`(
  select max(x.cancelled_at) from kpi_evaluations x
  where x.cycle_id = c.id and x.employee_id = e.id and x.status = 'cancelled')`;

/** Why a member is excluded; people of another company than the cycle's cannot be added. */
export const exclusion = exclusionOf(sql`v.id`, dropped, sql`l.decided_at`);

/** A cycle that has all of its people, apart from newly eligible ones. */
const isRunning = sql<SqlBool>`c.status = 'published' and c.publishing_total is null`;
const fits = sql<SqlBool>`(c.entity_id is null or c.entity_id = e.entity_id)`;

/** True for newly eligible members. */
export const isNewlyEligible = sql<SqlBool>`${isRunning} and v.id is null and ${fits} and ${exclusion} is null`;
/** True for newly eligible people, and for left-out people who would be if the decision were undone. */
export const mayBeNewlyEligible = sql<SqlBool>`
  ${isRunning} and v.id is null and ${fits} and coalesce(${exclusion}, 'left_out') = 'left_out'`;

/** Accounts `a` with a role that permits publishing in all of a company. */
export const publishersIn = (entity: RawBuilder<unknown>) => sql`
  role_assignments a
  join roles on roles.id = a.role_id and roles.scope = 'all'
  join role_permissions p on p.role_id = a.role_id and p.permission = 'kpi-cycle.publish'
    and (a.entity_ids is null or ${entity} = any(a.entity_ids))`;

/** True when the person `o` decides about newly eligible people of a company as the owner of the cycle `c`. */
export const decidesAsOwner = (entity: RawBuilder<unknown>): Condition => sql<SqlBool>`
  o.id = c.owner_id and o.activity_status = 'active' and o.deleted_at is null and ${hasAccount('o')}
  and exists (select from ${publishersIn(entity)} where a.user_id = o.user_id)`;

/** Found people of the cycle `c` who are still newly eligible; `x` is the finding. */
const found = (columns: RawBuilder<unknown>, condition: Condition) => sql`
  select ${columns} from kpi_newly_eligible x
  join employees e on e.id = x.employee_id and e.deleted_at is null
  join kpi_cycle_departments r on r.cycle_id = x.cycle_id and r.department_id = e.department_id and r.is_published
  left join kpi_evaluations v on v.cycle_id = x.cycle_id and v.employee_id = e.id and v.status <> 'cancelled'
  left join kpi_cycle_left_out l on l.cycle_id = x.cycle_id and l.employee_id = e.id
  where x.cycle_id = c.id and ${isNewlyEligible} and ${condition}`;

/** When the first of these people was found. */
export const firstFound = sql`(${found(sql`x.found_at`, sql<SqlBool>`true`)} order by x.found_at limit 1)`;

/** True for a cycle `c` with newly eligible people whom the actor decides on: its owner, else HR of their companies. */
export const decidesIn = (actor: Actor, inPool: (entity: RawBuilder<unknown>) => Condition): Condition => {
  const entity = sql`e.entity_id`;
  const owner = sql<SqlBool>`exists (select from employees o where ${decidesAsOwner(entity)})`;
  return sql<SqlBool>`${isRunning} and ${cyclesFor(actor, 'kpi-cycle.publish')} and exists (${found(
    sql``,
    sql<SqlBool>`${companiesFor(actor, 'kpi-cycle.publish', 'e.entity_id')} and ${visiblePeople(actor)}
      and case when ${owner} then c.owner_id = ${actor.employee_id}::bigint else ${inPool(entity)} end`,
  )})`;
};
