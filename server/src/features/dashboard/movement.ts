import type { MovementReport, QueryOut, reports } from '@tenure/contract';
import { messages, text } from '@tenure/contract';
import { sql } from 'kysely';
import type { RawBuilder, SqlBool } from 'kysely';
import { reachOf } from '../../access/actor.ts';
import type { Actor } from '../../access/actor.ts';
import { departmentsIn } from '../../access/scope.ts';
import type { Db } from '../../db/connect.ts';
import { every, oneOfIds } from '../../db/lists.ts';
import { invalid } from '../../http/errors.ts';
import { neverStarted } from '../../people/conditions.ts';
import { calendarOf, percentOf } from './days.ts';
import { headcounts, monthsBetween } from './months.ts';
import type { Happened } from './months.ts';

type Query = QueryOut<typeof reports.movement>;
type Range = { from: string; to: string };
type Found = {
  months: Happened[];
  /** `grown`: the growth over the last twelve months; `last_day`: leavers who still work today. */
  departments: (Omit<MovementReport['departments'][number], 'turnover_pct'> & { grown: number; last_day: number })[];
};

const most = 120;
const usual = 24;

/** Days before this one have no figures, and days before the year 1 have no text that the database reads. */
const earliest = '1900-01-01';

/** The days of a report: from the first of a month until today at the latest. */
export function rangeOf({ from, to }: Pick<Query, 'from' | 'to'>, today: string): Range {
  const end = to && to < today ? to : today;
  if (end < earliest) throw invalid('to', messages.afterOrEqual(earliest));
  const start = from ? Temporal.PlainDate.from(from) : Temporal.PlainDate.from(end).subtract({ months: usual - 1 });
  const first = start.with({ day: 1 }).toString();
  if (first > end) throw invalid('from', messages.beforeOrEqual({ field: 'to' }));
  if (monthsBetween(first, end).length > most) throw invalid('from', text('dashboard.report_too_long'));
  return { from: first, to: end };
}

/**
 * The counted departments, as `places`, each with the last counted day there, whether that is today, and the first of
 * its twelve months.
 */
const departmentsOf = (actor: Actor, entityIds: Query['entity_id'], { to }: Range): RawBuilder<unknown> => {
  const where: RawBuilder<SqlBool>[] = [
    departmentsIn(actor, reachOf(actor, 'dashboard.view_all')),
    ...oneOfIds(sql`d.entity_id`, entityIds),
  ];
  return sql`
    select d.id, n.until, n.until = n.today as is_now, (n.until - interval '1 year')::date + 1 as year_start
    from departments d
    join (select id, today, least(${to}::date, today) as until
          from (select id, (now() at time zone timezone)::date as today from entities) as days offset 0) as n
      on n.id = d.entity_id
    where ${every(where)}`;
};

/** The department in the previous history row of row `h`. */
const before = sql`lateral (
  select p.department_id from job_history p
  where p.employee_id = h.employee_id and p.status = 'past' and (p.effective_from, p.id) < (h.effective_from, h.id)
  order by p.effective_from desc, p.id desc limit 1) as b`;

/**
 * All headcount changes since the first day, one row per person and department: joining days, last days and moves, with
 * the other department of a move. Reads only changes, so the cost depends on the period and not on the whole history.
 */
const events = (since: string) => sql`
  moves as materialized (
    select h.employee_id, h.effective_from as day, b.department_id as "from", h.department_id as "to"
    from job_history h join employees e on e.id = h.employee_id and e.deleted_at is null cross join ${before}
    where h.status in ('current', 'past') and h.changed_fields && '{entity_id,department_id}'
      and not h.changed_fields @> '{employment_lifecycle}' and h.effective_from >= ${since}::date
      and b.department_id <> h.department_id
  ), first_moves as (
    select distinct on (e.id) e.id, m."from" from moves m join employees e on e.id = m.employee_id
    where m.day > e.joining_date order by e.id, m.day
  ), rehires as materialized (
    select h.employee_id, h.rehired_after, b.department_id, h.effective_from, h.department_id as joined_id,
           lead(h.id) over (partition by h.employee_id order by h.effective_from, h.id) is null as is_last
    from job_history h join employees e on e.id = h.employee_id and e.deleted_at is null cross join ${before}
    where h.rehired_after is not null and h.effective_from >= ${since}::date
  ), events (day, department_id, other_id, joiners, leavers, rehires, moved_in, moved_out) as (
    select e.joining_date, coalesce(m."from", e.department_id), null::bigint, 1, 0, 0, 0, 0
    from employees e left join first_moves m on m.id = e.id
    where e.deleted_at is null and e.joining_date >= ${since}::date and not ${neverStarted()}
    union all
    select e.last_working_date, e.department_id, null, 0, 1, 0, 0, 0 from employees e
    where e.employment_lifecycle in ('resigned', 'terminated') and e.deleted_at is null
      and e.last_working_date >= ${since}::date and not ${neverStarted()}
    union all
    select r.rehired_after, r.department_id, null, 0, 1, 0, 0, 0 from rehires r where r.rehired_after >= ${since}::date
    union all
    select e.joining_date, coalesce(m."from", e.department_id), null, 0, 0, 1, 0, 0
    from rehires r join employees e on e.id = r.employee_id left join first_moves m on m.id = e.id
    where r.is_last and e.joining_date >= ${since}::date
    union all
    -- the record only has the latest joining date
    select r.effective_from, r.joined_id, null, 1, 0, 1, 0, 0 from rehires r where not r.is_last
    union all
    select f.effective_from, f.department_id, null, 1, 0, 0, 0, 0
    from (select distinct employee_id from rehires) as r cross join lateral (
      select h.effective_from, h.department_id from job_history h where h.employee_id = r.employee_id
      order by h.effective_from, h.id limit 1) as f
    where f.effective_from >= ${since}::date
    union all
    select day, "to", "from", 0, 0, 0, 1, 0 from moves
    union all
    select day, "from", "to", 0, 0, 0, 0, 1 from moves
  )`;

/** Moves between counted departments cancel out. */
const byMonth = ({ from }: Range) => sql`
  select coalesce(json_agg(m), '[]') from (
    select to_char(day, 'YYYY-MM') as month, sum(joiners) as joiners, sum(leavers) as leavers, sum(rehires) as rehires,
           sum(moved_in) as moved_in, sum(moved_out) as moved_out
    from counted where day between ${from}::date and until
      and (other_id is null or other_id not in (select id from places)) group by 1) as m`;

const inYear = sql`filter (where day between year_start and until)`;
/** Current employment by the latest record, minus later changes, and the changes of the twelve months before. */
const byDepartment = ({ to }: Range) => sql`
  select coalesce(json_agg(json_build_object(
      'id', d.id, 'name', d.name, 'entity', json_build_object('id', n.id, 'name', n.name),
      'headcount', coalesce(k.people, 0) - coalesce(c.later, 0), 'joiners', coalesce(c.joiners, 0),
      'leavers', coalesce(c.leavers, 0), 'grown', coalesce(c.grown, 0), 'last_day', coalesce(l.people, 0)) order by d.name_sort, d.id), '[]')
  from places p join departments d on d.id = p.id join entities n on n.id = d.entity_id
  left join (
    select key_id, sum(people) as people from employee_counts
    where level = 'department' and employment_lifecycle in ('probationary', 'confirmed')
    group by 1) as k on k.key_id = d.id
  left join (
    select department_id, sum(joiners) ${inYear} as joiners, sum(leavers) ${inYear} as leavers,
           sum(joiners + moved_in - leavers - moved_out) ${inYear} as grown,
           sum(joiners + moved_in - leavers - moved_out) filter (where day > until) as later
    from counted group by 1) as c on c.department_id = d.id
  left join (
    select p.id, count(*) as people from places p
    join employees e on e.department_id = p.id and e.last_working_date = p.until
    -- the days of companies differ by two at most; the index on last days finds these rows
    where p.is_now and e.last_working_date between ${to}::date - 2 and ${to}::date and e.activity_status = 'active'
      and e.employment_lifecycle in ('resigned', 'terminated') and e.deleted_at is null
    group by 1) as l on l.id = d.id`;

/** Headcount and its changes by month, and leavers by department. */
export async function reportMovement({ db, actor }: { db: Db; actor: Actor }, query: Query): Promise<MovementReport> {
  const { as_of, today } = await calendarOf({ db, actor }, query.entity_id);
  const range = rangeOf(query, today);
  // a company where it is still yesterday counts from a day earlier
  const year = Temporal.PlainDate.from(range.to).subtract({ years: 1, days: 2 }).toString();
  const since = year < range.from ? year : range.from;
  const { rows } = await sql<Found>`
    with places as materialized (${departmentsOf(actor, query.entity_id, range)}), ${events(since)},
    counted as materialized (select e.*, p.until, p.year_start from events e join places p on p.id = e.department_id)
    select (${byMonth(range)}) as months, (${byDepartment(range)}) as departments`.execute(db);
  const { months, departments } = rows[0] as Found;
  const sum = (of: 'headcount' | 'last_day') => departments.reduce((all, department) => all + department[of], 0);
  return {
    as_of,
    today,
    months: headcounts(monthsBetween(range.from, range.to), months, sum('headcount'), sum('last_day')),
    departments: departments
      .filter(({ headcount, leavers, joiners }) => headcount > 0 || leavers > 0 || joiners > 0)
      .map(({ grown, last_day, ...department }) => ({
        ...department,
        headcount: department.headcount + last_day,
        turnover_pct: percentOf(2 * department.leavers, 2 * department.headcount - grown),
      })),
  };
}
