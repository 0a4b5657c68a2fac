import type { kpiCycleNewcomers, LeftOut, NewlyEligible, QueryOut } from '@tenure/contract';
import { sql } from 'kysely';
import type { Actor } from '../../access/actor.ts';
import { peopleFor, visibleDepartments, visiblePeople } from '../../access/scope.ts';
import { every, holdsWords, oneOfIds, orderedBy, selectPage } from '../../db/lists.ts';
import { personRefTo, refTo } from '../../db/refs.ts';
import type { ReadCtx } from '../../http/context.ts';
import { isNewlyEligible, members } from './newly-eligible.ts';
import { joined, planOf } from './plan.ts';
import { companiesFor } from './policy.ts';

type ListQuery = QueryOut<typeof kpiCycleNewcomers.newlyEligible>;
type Newcomer = Omit<NewlyEligible, 'template' | 'reviewer'>;

const sorts = { employee_name: sql`e.last_name_sort || ' ' || e.first_name_sort`, department_name: sql`d.name_sort` };
const orderOf = ({ sort_by, sort_direction }: ListQuery) =>
  orderedBy(sorts[sort_by ?? 'employee_name'], sort_direction, sql`e.id`);

/** People of a cycle about whom the actor can decide. */
export const reached = (actor: Actor) =>
  every([companiesFor(actor, 'kpi-cycle.publish', 'e.entity_id'), visiblePeople(actor)]);

const filtersOf = (query: ListQuery) => [
  ...oneOfIds(sql`e.department_id`, query.department_id),
  ...holdsWords([sql`e.name`, sql`e.employee_number`], query.search),
];

/** The last change that made a person eligible since the department was published, and its day. */
const causeOf = sql`lateral (
  select s.cause, s.day from (
    select 'joined' as cause, e.joining_date as day
    union all
    (select case when h.changed_fields && '{department_id,entity_id}' then 'moved' else 'confirmed' end, h.effective_from
     from job_history h
     where h.employee_id = e.id and h.status in ('current', 'past')
       and (h.changed_fields && '{department_id,entity_id}'
            or 'employment_lifecycle' = any(h.changed_fields) and h.employment_lifecycle = 'confirmed')
     order by h.effective_from desc, h.id desc limit 1)
    union all
    (select 'returned', (a.at at time zone n.timezone)::date
     from audit_log a
     where a.subject_type = 'employee' and a.subject_id = e.id and a.at >= r.published_at
       and a.action in ('employee.reactivated', 'employee.restored')
     order by a.at desc limit 1)) as s
  where s.day >= (r.published_at at time zone n.timezone)::date
  order by s.day desc, s.cause = 'joined' desc limit 1) as k on true`;

const newcomerTables = sql`${members}
  join departments d on d.id = e.department_id
  join entities n on n.id = e.entity_id
  left join ${causeOf}`;

/** What adding these people would give them. */
async function plannedFor({ db, actor }: ReadCtx, cycleId: number, rows: readonly Newcomer[]) {
  const only = rows.map(({ employee }) => employee.id);
  const departments = [...new Set(rows.map(({ department }) => department.id))];
  const { rows: planned } = await sql<{ id: number } & Pick<NewlyEligible, 'template' | 'reviewer'>>`
    with ${planOf(cycleId, departments, { only })}
    select p.id, ${refTo('t')} as template,
           case when ${visiblePeople(actor, 'u')} then ${personRefTo('u')} end as reviewer
    from people p
    left join kpi_templates t on t.id = p.template_id
    left join employees u on u.id = p.reviewer_id`.execute(db);
  return new Map(planned.map(({ id, template, reviewer }) => [id, { template, reviewer }]));
}

/** A page of the newly eligible people of a cycle about whom the actor can decide. */
export async function listNewlyEligible(ctx: ReadCtx, cycleId: number, query: ListQuery) {
  const { db, actor } = ctx;
  const where = every([sql<boolean>`c.id = ${cycleId}`, isNewlyEligible, reached(actor), ...filtersOf(query)]);
  const isRead = peopleFor(actor, 'employees.view');
  const { rows, total } = await selectPage(db, query, {
    rows: sql<Newcomer>`
      select ${personRefTo('e')} as employee, ${refTo('d')} as department, e.entity_id,
             case when ${isRead} then k.cause end as cause, case when ${isRead} then k.day end as since
      from ${newcomerTables} where ${where} ${orderOf(query)}`,
    total: sql`select count(*) from ${members} where ${where}`,
  });
  const planned = rows.length > 0 ? await plannedFor(ctx, cycleId, rows) : new Map();
  const none = { template: null, reviewer: null };
  return { rows: rows.map((row): NewlyEligible => ({ ...row, ...none, ...planned.get(row.employee.id) })), total };
}

/** People `e` of the cycle `c` with a valid decision `l`. */
export const leftOutPeople = sql`kpi_cycle_left_out l
  join kpi_cycles c on c.id = l.cycle_id
  join employees e on e.id = l.employee_id and e.deleted_at is null
  join departments d on d.id = e.department_id`;
/** A decision is valid until the person gets an evaluation or a new employment. */
export const isLeftOut = sql<boolean>`l.decided_at >= ${joined}
  and not exists (select from kpi_evaluations v
                  where v.cycle_id = l.cycle_id and v.employee_id = l.employee_id and v.status <> 'cancelled')`;

type StoredDecision = Omit<LeftOut, 'allowed_actions'> & { is_open: boolean };

/** A page of the people left out of a cycle in the actor's scope. */
export async function listLeftOut({ db, actor }: ReadCtx, cycleId: number, query: ListQuery) {
  const where = every([sql<boolean>`l.cycle_id = ${cycleId}`, isLeftOut, reached(actor), ...filtersOf(query)]);
  const { rows, total } = await selectPage(db, query, {
    rows: sql<StoredDecision>`
      select ${personRefTo('e')} as employee, case when ${visibleDepartments(actor)} then ${refTo('d')} end as department,
             l.reason, json_build_object('user_id', l.decided_by, 'name', l.decided_by_name) as decided_by,
             l.decided_at, c.status = 'published' and c.publishing_total is null as is_open
      from ${leftOutPeople} where ${where} ${orderOf(query)}`,
    total: sql`select count(*) from ${leftOutPeople} where ${where}`,
  });
  const present = ({ is_open, ...row }: StoredDecision): LeftOut => ({
    ...row,
    allowed_actions: is_open && row.employee.id !== actor.employee_id ? ['delete'] : [],
  });
  return { rows: rows.map(present), total };
}
