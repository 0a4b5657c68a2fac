import type { Dashboard } from '@tenure/contract';
import { sql } from 'kysely';
import type { RawBuilder, SqlBool } from 'kysely';
import { isByCompany } from '../../access/actor.ts';
import type { Actor, Reach } from '../../access/actor.ts';
import type { ReadCtx } from '../../http/context.ts';
import { leftBetween, neverCame, rehiredBetween } from '../../people/conditions.ts';
import { onCompanyDays, percentOf } from './days.ts';
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

/** Headcounts by department and state: stored counts for whole companies, else counted. */
function groupsOf(actor: Actor, reach: Reach, entityIds: Asked): RawBuilder<unknown> {
  const counted = sql`
    select e.entity_id, e.department_id, e.activity_status, e.employment_lifecycle, count(*) as people
    from employees e where ${peopleCounted(actor, reach, entityIds)}`;
  const grouped = sql`group by 1, 2, 3, 4`;
  if (!isByCompany(reach)) return sql`${counted} ${grouped}`;
  const kept = sql`
    select d.entity_id, d.id as department_id, k.activity_status, k.employment_lifecycle, sum(k.people) as people
    from employee_counts k join departments d on d.id = k.key_id
    where k.level = 'department' and ${companiesCounted(reach, entityIds, 'd.entity_id')} ${grouped}`;
  if (reach.everything) return kept;
  // readers see the own record too, wherever it is
  return sql`${kept} union all
    ${counted} and e.id = ${actor.employee_id}::bigint and e.entity_id <> all(${reach.entity_ids}::bigint[]) ${grouped}`;
}

const countsBy = (table: 'entities' | 'departments', key: string) => sql`
  (select coalesce(json_agg(json_build_object('id', p.id, 'name', p.name, 'count', c.people)
                            order by c.people desc, p.name_sort, p.id), '[]')
   from (select ${sql.ref(key)} as id, sum(people) as people from groups where activity_status = 'active'
         group by 1 having sum(people) > 0) as c
   join ${sql.table(table)} p on p.id = c.id)`;

type OnDays = (condition: (days: Days) => RawBuilder<SqlBool>) => RawBuilder<SqlBool>;

/** Active people by full years of service; the rest of them have more than five or are unknown. */
function yearsServed(people: RawBuilder<SqlBool>, onDays: OnDays): RawBuilder<unknown> {
  const active = (condition: RawBuilder<SqlBool>) => sql`(select count(*) from employees e
    where ${people} and e.activity_status = 'active' and ${condition})`;
  type Mark = 'one_year_ago' | 'three_years_ago' | 'five_years_ago';
  const joined = (after: Mark, until: Mark) =>
    active(onDays((days) => sql`(e.joining_date > ${days[after]}::date and e.joining_date <= ${days[until]}::date)`));
  return sql`json_build_object(
    'under_1', ${active(onDays((days) => sql`e.joining_date > ${days.one_year_ago}::date`))},
    'under_3', ${joined('three_years_ago', 'one_year_ago')},
    'under_5', ${joined('five_years_ago', 'three_years_ago')},
    'unknown', ${active(sql`e.joining_date is null`)})`;
}

/** One statement for all figures about people. */
async function figuresOf({ db, actor }: ReadCtx, reach: Reach, entityIds: Asked, when: Calendar): Promise<Figures> {
  const people = peopleCounted(actor, reach, entityIds);
  const onDays: OnDays = (condition) => onCompanyDays(when, sql`e.entity_id`, condition);
  const count = (condition: RawBuilder<SqlBool>) =>
    sql`(select count(*) from employees e where ${people} and ${condition})`;
  const counted = (condition: (days: Days) => RawBuilder<SqlBool>) => count(onDays(condition));
  const joined = (from: 'month_start' | 'year_start') =>
    counted((days) => sql`(e.joining_date between ${days[from]}::date and ${days.today}::date and not ${neverCame()})`);
  const sum = (condition: RawBuilder<SqlBool>) =>
    sql`(select coalesce(sum(people), 0)::int from groups where ${condition})`;
  const left = sql<SqlBool>`activity_status = 'inactive' and employment_lifecycle in ('resigned', 'terminated')`;
  const lifecycle = (name: string) => sum(sql<SqlBool>`activity_status = 'active' and employment_lifecycle = ${name}`);
  const { rows } = await sql<Figures>`
    with groups as materialized (${groupsOf(actor, reach, entityIds)})
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
      ${yearsServed(people, onDays)} as tenure,
      (select coalesce(json_object_agg(employment_type, n), '{}') from (
         select e.employment_type, count(*) as n from employees e
         where ${people} and e.activity_status = 'active' and e.employment_type <> 'full_time'
         group by 1) as t) as types`.execute(db);
  return rows[0] as Figures;
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

/** The rest belongs to neither group, so it needs no query. */
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

/** Headcount, movement and years of service, as far as the reader sees them. */
export async function countPeople(
  ctx: ReadCtx,
  { people, employment, all }: Sight,
  entityIds: Asked,
  when: Calendar,
): Promise<Blocks> {
  if (!people) return {};
  const figures = await figuresOf(ctx, people, entityIds, when);
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
