import type { Dashboard } from '@tenure/contract';
import { sql } from 'kysely';
import type { RawBuilder, SqlBool } from 'kysely';
import { isByCompany } from '../../access/actor.ts';
import type { Actor, Reach } from '../../access/actor.ts';
import type { ReadCtx } from '../../http/context.ts';
import { leftBetween, neverStarted, rehiredBetween } from '../../people/conditions.ts';
import { conditionsOnDays, onCompanyDays, percentOf } from './days.ts';
import type { Calendar, Days } from './days.ts';
import { companiesCounted, peopleCounted } from './scope.ts';
import type { Asked, Sight } from './scope.ts';

type GroupCount = { id: number; name: string; count: number };
type Figures = {
  total: number;
  active: number;
  inactive: number;
  joining: number;
  probationary: number;
  confirmed: number;
  by_entity: GroupCount[];
  by_department: GroupCount[];
  movement: { joiners: number; leavers: number; rehires: number; joiners_year: number; leavers_year: number };
  not_yet: number;
  going: number;
  tenure: { under_1: number; under_3: number; under_5: number; unknown: number };
  types: Partial<Record<keyof NonNullable<Dashboard['tenure']>['employment_types'], number>>;
};

/** The counted people `e`: through indexes for whole companies, otherwise collected once as `scoped`. */
const rowsOf = (actor: Actor, reach: Reach, entityIds: Asked) =>
  isByCompany(reach)
    ? { from: sql`employees e`, where: peopleCounted(actor, reach, entityIds) }
    : { from: sql`scoped e`, where: sql<SqlBool>`true` };

const scopedOf = (actor: Actor, reach: Reach, entityIds: Asked) =>
  isByCompany(reach)
    ? sql``
    : sql`scoped as materialized (
        select e.id, e.entity_id, e.department_id, e.activity_status, e.employment_lifecycle, e.employment_type,
               e.joining_date, e.last_working_date
        from employees e where ${peopleCounted(actor, reach, entityIds)}),`;

/** People by department and state: from stored counts for whole companies, otherwise one by one. */
function groupsOf(actor: Actor, reach: Reach, entityIds: Asked): RawBuilder<unknown> {
  const { from, where } = rowsOf(actor, reach, entityIds);
  const counted = sql`
    select e.entity_id, e.department_id, e.activity_status, e.employment_lifecycle, 1 as people
    from ${from} where ${where}`;
  if (!isByCompany(reach)) return counted;
  const kept = sql`
    select d.entity_id, d.id as department_id, k.activity_status, k.employment_lifecycle, k.people::int
    from employee_counts k join departments d on d.id = k.key_id
    where k.level = 'department' and ${companiesCounted(reach, entityIds, 'd.entity_id')}`;
  if (reach.everything) return kept;
  // readers see their own record too, wherever it is
  return sql`${kept} union all
    ${counted} and e.id = ${actor.employee_id}::bigint and e.entity_id <> all(${reach.entity_ids}::bigint[])`;
}

const countsBy = (table: 'entities' | 'departments', key: string) => sql`
  (select coalesce(json_agg(json_build_object('id', p.id, 'name', p.name, 'count', c.people)
                            order by c.people desc, p.name_sort, p.id), '[]')
   from (select ${sql.ref(key)} as id, active as people from groups where ${sql.ref(key)} is not null and active > 0) as c
   join ${sql.table(table)} p on p.id = c.id)`;

type OnDays = (condition: (days: Days) => RawBuilder<SqlBool>) => RawBuilder<SqlBool>;

const noStarts = sql`
  select null::bigint as entity_id, null::date as day, null::text as employment_type, 0 as people where false`;
const active = sql<SqlBool>`e.activity_status = 'active'`;
const monthOf = (day: string) => Temporal.PlainDate.from(day).with({ day: 1 }).toString();

/**
 * Active people by first day (`-infinity` if it is unknown) and employment type. Whole companies use stored counts,
 * each with the first day of its month; only the months in which a band begins are read person by person.
 */
function startsOf(actor: Actor, reach: Reach, entityIds: Asked, { groups }: Calendar): RawBuilder<unknown> {
  const rows = rowsOf(actor, reach, entityIds);
  const ofPeople = (from: RawBuilder<unknown>, where: RawBuilder<SqlBool>) => sql`
    select e.entity_id, coalesce(e.joining_date, '-infinity') as day, e.employment_type, 1 as people
    from ${from} where ${rows.where} and ${active} and ${where}`;
  if (!isByCompany(reach)) return ofPeople(rows.from, sql<SqlBool>`true`);
  const edges = [
    ...new Set(
      groups.flatMap(({ days }) => [days.one_year_ago, days.three_years_ago, days.five_years_ago].map(monthOf)),
    ),
  ];
  const inEdge = sql<SqlBool>`e.joining_date >= m.first and e.joining_date < (m.first + interval '1 month')::date`;
  const inCompanies = companiesCounted(reach, entityIds, 'e.entity_id');
  const whole = sql`
    select k.entity_id, k.month as day, k.employment_type, k.people::int from employee_tenure_counts k
    where k.month <> all(${edges}::date[]) and ${companiesCounted(reach, entityIds, 'k.entity_id')}
    union all
    ${ofPeople(sql`unnest(${edges}::date[]) as m (first) join employees e on ${inEdge}`, inCompanies)}`;
  if (reach.everything) return whole;
  // readers see their own record too, wherever it is
  return sql`${whole} union all ${ofPeople(
    sql`employees e`,
    sql<SqlBool>`e.id = ${actor.employee_id}::bigint and e.entity_id <> all(${reach.entity_ids}::bigint[])`,
  )}`;
}

/** Active people by full years of service; the remaining ones have five or more. */
function yearsServed(onDays: OnDays): RawBuilder<unknown> {
  const sum = (condition: RawBuilder<SqlBool>) => sql`coalesce(sum(people) filter (where ${condition}), 0)::int`;
  type Mark = 'one_year_ago' | 'three_years_ago' | 'five_years_ago';
  const joined = (after: Mark, until: Mark) =>
    sum(onDays((days) => sql`(day > ${days[after]}::date and day <= ${days[until]}::date)`));
  return sql`(select json_build_object(
    'under_1', ${sum(onDays((days) => sql`day > ${days.one_year_ago}::date`))},
    'under_3', ${joined('three_years_ago', 'one_year_ago')},
    'under_5', ${joined('five_years_ago', 'three_years_ago')},
    'unknown', ${sum(sql`day = '-infinity'`)}) from starts)`;
}

/** One statement for all figures about people; years of service and employment types only where they are shown. */
export function figuresOf(
  actor: Actor,
  reach: Reach,
  { entityIds, when, all }: { entityIds: Asked; when: Calendar; all: boolean },
) {
  const { from, where } = rowsOf(actor, reach, entityIds);
  const count = (condition: RawBuilder<SqlBool>) => sql`(select count(*) from ${from} where ${where} and ${condition})`;
  const counted = (condition: (days: Days) => RawBuilder<SqlBool>) =>
    sql`(${sql.join(conditionsOnDays(when, sql`e.entity_id`, condition).map(count), sql` + `)})`;
  // one index counts those with a first day, another one the few who never came
  const joined = (since: 'month_start' | 'year_start') => {
    const began = ({ today, ...days }: Days) =>
      sql<SqlBool>`e.joining_date between ${days[since]}::date and ${today}::date`;
    return sql`${counted(began)} - ${counted((days) => sql`(${began(days)} and ${neverStarted()})`)}`;
  };
  const sum = (condition: RawBuilder<SqlBool>) =>
    sql`(select coalesce(sum(people), 0)::int from groups where is_state and ${condition})`;
  const left = sql<SqlBool>`activity_status = 'inactive' and employment_lifecycle in ('resigned', 'terminated')`;
  const lifecycle = (name: string) => sum(sql<SqlBool>`activity_status = 'active' and employment_lifecycle = ${name}`);
  return sql<Figures>`
    with ${scopedOf(actor, reach, entityIds)} groups as materialized (
      select entity_id, department_id, activity_status, employment_lifecycle, grouping(activity_status) = 0 as is_state,
             sum(people)::int as people, (sum(people) filter (where activity_status = 'active'))::int as active
      from (${groupsOf(actor, reach, entityIds)}) as counted
      -- in one pass, because there may be tens of thousands of stored counts
      group by grouping sets ((entity_id), (department_id), (activity_status, employment_lifecycle))),
    starts as materialized (${all ? startsOf(actor, reach, entityIds, when) : noStarts})
    select ${sum(sql<SqlBool>`activity_status <> 'joining' and not (${left})`)} as total,
      ${sum(sql<SqlBool>`activity_status = 'joining'`)} as joining,
      ${sum(sql<SqlBool>`activity_status = 'active'`)} as active,
      ${sum(sql<SqlBool>`activity_status = 'inactive' and not (${left})`)} as inactive,
      ${lifecycle('probationary')} as probationary, ${lifecycle('confirmed')} as confirmed,
      ${countsBy('entities', 'entity_id')} as by_entity, ${countsBy('departments', 'department_id')} as by_department,
      json_build_object(
        'joiners', ${joined('month_start')},
        'leavers', ${counted((days) => leftBetween(days.month_start, days.today))},
        'rehires', ${counted((days) => rehiredBetween(days.month_start, days.today))},
        'joiners_year', ${joined('year_start')},
        'leavers_year', ${counted((days) => leftBetween(days.year_start, days.today))}) as movement,
      ${counted((days) => sql`(e.activity_status <> 'joining' and e.joining_date > ${days.today}::date)`)} as not_yet,
      ${counted(
        (days) => sql`(e.activity_status = 'active' and e.employment_lifecycle in ('resigned', 'terminated')
                       and e.last_working_date <= ${days.today}::date)`,
      )} as going,
      ${yearsServed((condition) => onCompanyDays(when, sql`entity_id`, condition))} as tenure,
      (select coalesce(json_object_agg(employment_type, n), '{}') from (
         select employment_type, sum(people)::int as n from starts where employment_type <> 'full_time'
         group by 1) as t) as types`;
}

function movementOf(
  { as_of }: Calendar,
  { total, movement, not_yet, going }: Figures,
): NonNullable<Dashboard['movement']> {
  const { joiners, leavers, rehires, joiners_year, leavers_year } = movement;
  const now = total - not_yet - going;
  const then = now - joiners_year + leavers_year;
  return {
    as_of,
    joiners_month: joiners,
    leavers_month: leavers,
    rehires_month: rehires,
    turnover_pct: percentOf(2 * leavers_year, now + then),
  };
}

/** The remaining people belong to neither group, so they need no query. */
function tenureOf({ as_of }: Calendar, { active, tenure, types }: Figures): NonNullable<Dashboard['tenure']> {
  const { under_1, under_3, under_5, unknown } = tenure;
  const others = { part_time: 0, contract: 0, intern: 0, consultant: 0, ...types };
  const full_time = active - Object.values(others).reduce((sum, count) => sum + count, 0);
  return {
    as_of,
    bands: { '0-1': under_1, '1-3': under_3, '3-5': under_5, '5+': active - under_1 - under_3 - under_5 - unknown },
    employment_types: { full_time, ...others },
  };
}

type Blocks = Pick<Dashboard, 'headcount' | 'movement' | 'tenure'>;

/** Headcount, movement and years of service, restricted to what the reader sees. */
export async function countPeople(
  { db, actor }: ReadCtx,
  { people, employment, all }: Sight,
  entityIds: Asked,
  when: Calendar,
): Promise<Blocks> {
  if (!people) return {};
  const { rows } = await figuresOf(actor, people, { entityIds, when, all }).execute(db);
  const figures = rows[0] as Figures;
  const { total, active, inactive, joining, probationary, confirmed, by_entity, by_department, movement } = figures;
  return {
    headcount: {
      as_of: when.as_of,
      ...(employment
        ? {
            total,
            active,
            inactive,
            joining,
            probationary,
            confirmed,
            delta_month: movement.joiners - movement.leavers,
          }
        : { total: active, active }),
      by_entity,
      by_department,
    },
    ...(all && { movement: movementOf(when, figures), tenure: tenureOf(when, figures) }),
  };
}
