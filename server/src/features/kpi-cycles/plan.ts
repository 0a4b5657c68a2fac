import type { ExclusionReason, Permission, Preflight } from '@tenure/contract';
import { sql } from 'kysely';
import type { RawBuilder, SqlBool } from 'kysely';
import type { Actor } from '../../access/actor.ts';
import { byName, peopleFor, visiblePeople } from '../../access/scope.ts';
import type { Db } from '../../db/connect.ts';
import { ableReviewers, headsOf, linesOf, teamsOf, withReviewers } from '../../people/reviewers.ts';
import { companiesFor } from './policy.ts';

/** A department of a cycle. */
export type ChosenDepartment = {
  id: number;
  name: string;
  entity_id: number;
  template_id: number | null;
  template_status: string | null;
  template_name: string | null;
  scale_max: number | null;
  is_published: boolean;
  /** True if the department moved after its selection: to another company than its cycle's or its template's. */
  has_left_cycle: boolean;
  has_left_template: boolean;
};

/** The departments of a cycle that a permission of the actor covers, or the named ones of these. */
export async function chosenDepartments(
  { db, actor }: { db: Db; actor: Actor },
  cycleId: number,
  named: readonly number[] | null | undefined,
  permission: Permission = 'kpi-cycle.publish',
): Promise<ChosenDepartment[]> {
  const { rows } = await sql<ChosenDepartment>`
    select d.id, d.name, d.entity_id, r.template_id, t.status as template_status, t.name as template_name,
           t.scale_max, r.is_published,
           coalesce(c.entity_id <> d.entity_id, false) as has_left_cycle,
           coalesce(t.entity_id <> d.entity_id, false) as has_left_template
    from kpi_cycle_departments r
    join kpi_cycles c on c.id = r.cycle_id
    join departments d on d.id = r.department_id
    left join kpi_templates t on t.id = r.template_id
    where r.cycle_id = ${cycleId} and ${companiesFor(actor, permission, 'd.entity_id')}
      and ${named ? sql`d.id = any(${named}::bigint[])` : sql`true`}
    order by d.name_sort, d.id`.execute(db);
  return rows;
}

/** Days from the later start on, first and last included; without a joining date, from the start of the cycle. */
const serviceDays = sql`c.end_date - greatest(e.joining_date, c.start_date) + 1`;

/** When the person `e` started in the company. */
export const joined = sql`coalesce(e.joining_date::timestamp at time zone (
  select z.timezone from entities z where z.id = e.entity_id), '-infinity')`;

type Sql = RawBuilder<unknown>;
/**
 * SQL for the reason why the person `e` gets no evaluation in the cycle `c`; null if there is none. `evaluation` is the
 * id of the valid one, `dropped` and `leftOut` are the instants of decisions against one. A decision does not apply to
 * a person who joined after it.
 */
export const exclusionOf = (evaluation: Sql, dropped: Sql, leftOut: Sql) => sql`
  case when e.activity_status = 'inactive' then 'inactive'
       when e.activity_status = 'joining' and e.joining_date <= c.end_date then 'joining'
       when e.employment_lifecycle in ('resigned', 'terminated') then 'leaving'
       when e.employment_lifecycle <> 'confirmed' then 'probationary'
       when e.joining_date > c.end_date then 'joined_later'
       when ${serviceDays} < c.min_service_days then 'short_service'
       when ${evaluation} is null and ${leftOut} is not null and ${leftOut} >= ${joined} then 'left_out'
       when ${evaluation} is null and ${dropped} is not null and ${dropped} >= ${joined} then 'cancelled' end`;

/**
 * People to check, with their evaluations. The fences let a batch look people up one by one; otherwise each batch would
 * read all people of the departments and all evaluations of the cycle. For an evaluation in parts, one part is enough.
 * There is an index by cycle and person for first parts and one for second parts; each includes evaluations of the
 * whole cycle.
 */
const everybody = (cycleId: number): Checked => ({
  people: sql`employees`,
  department: sql<SqlBool>`true`,
  evaluation: sql`(
    select distinct on (employee_id) id, employee_id from (
      select id, employee_id from kpi_evaluations
      where cycle_id = ${cycleId} and status <> 'cancelled' and covers_from is null
      union all
      select id, employee_id from kpi_evaluations
      where cycle_id = ${cycleId} and status <> 'cancelled' and covers_until is null and covers_from is not null) as parts
    order by employee_id) as v on v.employee_id = e.id`,
});
const these = (only: readonly number[], isAfterPart: boolean): Checked => ({
  people: sql`(select * from employees where id = any(${only}::bigint[]) offset 0)`,
  department: sql<SqlBool>`d.id in (select department_id from employees where id = any(${only}::bigint[]))`,
  evaluation: sql`lateral (
    select id from kpi_evaluations
    where cycle_id = c.id and employee_id = e.id and status <> 'cancelled' and covers_until is null
    ${isAfterPart ? sql`` : firstPart} limit 1) as v on true`,
});
const firstPart = sql`
    union all
    select id from kpi_evaluations
    where cycle_id = c.id and employee_id = e.id and status <> 'cancelled' and covers_from is null`;
type Checked = {
  people: RawBuilder<unknown>;
  evaluation: RawBuilder<unknown>;
  /** Which departments `d` have them. */
  department: RawBuilder<SqlBool>;
};

/** For people whom HR adds by name, whatever the rules of the cycle: their template instead of the department's. */
export type Invited = { template_id: number | null };
/** Who is planned: all members of the departments, or only these people. */
export type Choice = {
  only?: readonly number[] | null;
  invited?: Invited | null;
  /** The first day of the second part of a cycle; the evaluation of the first part does not prevent it. */
  covers_from?: string | null;
};

/** Reasons that do not apply to people whom HR adds by name. */
const overruled: readonly ExclusionReason[] = [
  'cancelled',
  'left_out',
  'probationary',
  'joined_later',
  'short_service',
];

/**
 * SQL for a `with`: `people`, the members of the departments with their evaluation, planned reviewer and template, and
 * the reason why they get none. `is_new` marks missing evaluations. A cancelled evaluation does not count as one but as
 * a decision, like leaving a person out: publishing again reverses neither, unless the person joined after it.
 */
export const planOf = (
  cycleId: number,
  departmentIds: readonly number[],
  { only = null, invited = null, covers_from = null }: Choice = {},
): RawBuilder<unknown> => {
  const { people, evaluation, department } = only ? these(only, covers_from !== null) : everybody(cycleId);
  const template = invited ? sql`coalesce(${invited.template_id}::bigint, r.template_id)` : sql`r.template_id`;
  const planned = { members: 'members', heads: 'heads', teams: 'teams' };
  return sql`
  heads as materialized (
    select d.id, ${headsOf} as ids from departments d where d.id = any(${departmentIds}::bigint[]) and ${department}),
  members as materialized (
    -- few columns, so that all people fit into the memory of a statement
    select e.id, e.user_id, e.entity_id, e.department_id, e.reporting_manager_id, e.activity_status,
           e.employment_lifecycle, e.joining_date
    from heads h
    -- leavers are skipped
    join ${people} as e on e.department_id = h.id and e.deleted_at is null
      and (e.activity_status <> 'inactive' or e.employment_lifecycle in ('probationary', 'confirmed'))),
  teams as materialized (${teamsOf(planned)}),
  able as materialized (${ableReviewers(planned)}),
  lines as materialized (${linesOf(planned)}),
  dropped as materialized (
    select employee_id, max(cancelled_at) as at from kpi_evaluations
    where cycle_id = ${cycleId} and status = 'cancelled' group by 1),
  people as materialized (
    select found.*, evaluation_id is null and (reason is null ${invited ? sql`or reason = any(${overruled}::text[])` : sql``}) as is_new
    from (
      select e.id, e.user_id, e.entity_id, e.department_id,
             t.id as template_id, t.version as template_version, t.status as template_status,
             coalesce(t.entity_id <> e.entity_id, false) as is_foreign_template,
             coalesce(c.entity_id <> e.entity_id, false) as is_foreign, v.id as evaluation_id,
             e.reviewer_id, e.first_choice,
             coalesce(r.is_published, false) as is_published, ${exclusionOf(sql`v.id`, sql`x.at`, sql`l.decided_at`)} as reason
      from kpi_cycles c
      cross join (${withReviewers(planned, { able: 'able', lines: 'lines' })}) as e
      ${invited ? sql`left join` : sql`join`} kpi_cycle_departments r
        on r.cycle_id = c.id and r.department_id = e.department_id
      left join kpi_templates t on t.id = ${template}
      left join ${evaluation}
      left join dropped x on x.employee_id = e.id
      left join kpi_cycle_left_out l on l.cycle_id = c.id and l.employee_id = e.id
      where c.id = ${cycleId}) as found)`;
};

type Person = { id: number; employee_number: string; name: string };
/** The effect of publishing on the people of departments. */
export type Plan = Pick<
  Preflight,
  'eligible' | 'to_create' | 'existing' | 'excluded_count' | 'newly_eligible_count' | 'plan_hash'
> & {
  /** The people whom the actor sees, and how many others there are. */
  without_reviewer: { department_id: number; employee: Person }[];
  others_without_reviewer: number;
};
/** Further details that the publisher reads before publishing. */
export type PlanDetails = Pick<Preflight, 'excluded' | 'newly_eligible' | 'notified'> & {
  /** The reviewers who cannot review, and their replacements. */
  replaced: { department_id: number; name: string; instead: string }[];
};

const maxListed = 500;
/** The planned people `q` with their records `p`. */
const named = sql`people q join employees p on p.id = q.id`;
const person = sql`json_build_object('id', p.id, 'employee_number', p.employee_number, 'name', p.name)`;
const jsonOf = (rows: RawBuilder<unknown>) =>
  sql`(select coalesce(json_agg(row_to_json(l)), '[]') from (${rows} limit ${maxListed}) as l)`;

const lacksReviewer = sql<SqlBool>`q.is_new and q.reviewer_id is null`;

const figures = (actor: Actor) => sql`
  count(*) filter (where reason is null) as eligible,
  count(*) filter (where is_new) as to_create,
  count(*) filter (where reason is null and evaluation_id is not null) as existing,
  count(*) filter (where reason is not null and evaluation_id is null) as excluded_count,
  count(*) filter (where is_new and is_published and not is_foreign) as newly_eligible_count,
  encode(sha256(convert_to(coalesce(string_agg(
    concat_ws(':', id, coalesce(reviewer_id, 0), template_id, template_version), ',' order by id)
    filter (where is_new), ''), 'UTF8')), 'hex') as plan_hash,
  ${jsonOf(sql`
    select p.department_id, ${person} as employee from ${named}
    where ${lacksReviewer} and ${visiblePeople(actor, 'p')}
    order by ${byName('p')}`)} as without_reviewer,
  (select count(*) from ${named} where ${lacksReviewer} and not ${visiblePeople(actor, 'p')}) as others_without_reviewer`;

const details = (actor: Actor) => sql`
  ${jsonOf(sql`
    select ${person} as employee, q.reason from ${named}
    where q.reason is not null and q.evaluation_id is null and ${peopleFor(actor, 'employees.view', 'p')}
    order by ${byName('p')}`)} as excluded,
  ${jsonOf(sql`
    select p.department_id, ${person} as employee from ${named}
    where q.is_new and q.is_published and not q.is_foreign and ${visiblePeople(actor, 'p')}
    order by ${byName('p')}`)} as newly_eligible,
  ${jsonOf(sql`
    select distinct p.department_id, f.name, u.name as instead
    from people p join employees f on f.id = p.first_choice join employees u on u.id = p.reviewer_id
    join employees e on e.id = p.id
    where p.is_new and p.reviewer_id <> p.first_choice and ${visiblePeople(actor)}`)} as replaced,
  (select count(*) from people p join reachable_users u on u.user_id = p.user_id
   where p.is_new and p.user_id <> ${actor.user_id}) as notified`;

type PlanRequest = { db: Db; actor: Actor; cycleId: number; departmentIds: readonly number[] };

/** Plans all people in one statement. The hash changes with every change of the plan. */
export async function planFor({ db, actor, cycleId, departmentIds }: PlanRequest): Promise<Plan> {
  const { rows } = await sql<Plan>`
    with ${planOf(cycleId, departmentIds)} select ${figures(actor)} from people`.execute(db);
  return rows[0] as Plan;
}

/** The plan with its details. Lists excluded people whose reason comes from their employment, for readers of that. */
export async function planInDetail({ db, actor, cycleId, departmentIds }: PlanRequest): Promise<Plan & PlanDetails> {
  const { rows } = await sql<Plan & PlanDetails>`
    with ${planOf(cycleId, departmentIds)} select ${figures(actor)}, ${details(actor)} from people`.execute(db);
  return rows[0] as Plan & PlanDetails;
}
