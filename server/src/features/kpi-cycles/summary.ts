import { evaluationStatuses } from '@tenure/contract';
import type { CycleSummary, EvaluationStatus } from '@tenure/contract';
import { sql } from 'kysely';
import type { RawBuilder, SqlBool } from 'kysely';
import type { Actor } from '../../access/actor.ts';
import type { ReadCtx } from '../../http/context.ts';
import { distributionOf } from '../../scores/bands.ts';
import type { Band } from '../../scores/bands.ts';
import { companiesFor, resultsFor } from './policy.ts';
import { bandsOf } from './queries.ts';
import type { CycleRecord } from './queries.ts';

type Condition = RawBuilder<SqlBool>;
/**
 * The counted evaluations of the cycle: whole companies through stored counts, or single rows of `kpi_evaluations v`.
 */
export type Counted = Companies | { rows: Condition };
/**
 * `results` restricts the evaluations whose results the reader may know; `besides` are single rows of other companies
 * that the reader's list contains too.
 */
type Companies = Record<'companies', ByCompany> & Partial<Record<'results', ByCompany>> & { besides?: Condition };
type ByCompany = (reference: string) => Condition;

type Counts<K extends string> = Partial<Record<K, number>>;
type Flag = keyof CycleSummary['flags'];
type Stage = keyof CycleSummary['median_days_per_stage'];
type Figures = {
  as_of: string;
  by_status: Counts<EvaluationStatus>;
  overdue: Counts<EvaluationStatus>;
  bands: Counts<Band>;
  flags: Counts<Flag>;
  average_percentage: number | null;
  medians: Counts<Stage>;
  departments: CycleSummary['departments'];
};

/** Rows with a company whose results are counted. */
const resultsIn = (counted: Counted, reference: string): Condition =>
  'results' in counted && counted.results ? counted.results(reference) : sql<SqlBool>`true`;

/** `scoped`: the counted single rows, collected once for all figures. */
const withScoped = (counted: Counted, cycleId: number) => sql`scoped as materialized (
  select v.id, v.employee_id, v.entity_id, v.department_id, v.status, v.due_on, v.overall_percentage,
         v.performance_flag, case when v.status = 'completed'
           then kpi_band(v.cycle_id, v.status, v.overall_percentage) end as band
  from kpi_evaluations v
  where v.cycle_id = ${cycleId} and ${'rows' in counted ? counted.rows : (counted.besides ?? sql<SqlBool>`false`)}),`;

/** Evaluations from the stored counts, and the scoped ones in the same shape. */
const countsOf = (counted: Counted, cycleId: number) => sql`
  select v.entity_id, v.department_id, v.status, v.due_on, v.band,
         case when v.status = 'completed' then v.performance_flag end as flag, 1 as evaluations,
         case when v.status = 'completed' then coalesce(v.overall_percentage, 0) else 0 end as percentages
  from scoped v
  ${
    'companies' in counted
      ? sql`union all
        select k.entity_id, k.department_id, k.status, k.due_on, k.band, k.flag, k.evaluations, k.percentages
        from kpi_evaluation_counts k where k.cycle_id = ${cycleId} and ${counted.companies('k.entity_id')}`
      : sql``
  }`;

/** The reader's own result, which the figures exclude, in the shape of the counts. */
const ownResult = (actor: Actor, counted: Counted, cycleId: number) => sql`
  select v.band, v.performance_flag as flag, -1 as evaluations, -v.overall_percentage as percentages
  from (
    select s.employee_id, s.entity_id, s.status, s.band, s.performance_flag, s.overall_percentage from scoped s
    ${
      'companies' in counted
        ? sql`union all
          select o.employee_id, o.entity_id, o.status, kpi_band(o.cycle_id, o.status, o.overall_percentage),
                 o.performance_flag, o.overall_percentage
          from kpi_evaluations o
          where o.cycle_id = ${cycleId} and o.employee_id = ${actor.employee_id}::bigint
            and ${counted.companies('o.entity_id')}`
        : sql``
    }) as v
  where v.employee_id = ${actor.employee_id}::bigint and v.status = 'completed' and ${resultsIn(counted, 'v.entity_id')}`;

/** How long evaluations stayed in a step, in tenths of a day: stored, or from the history of counted ones. */
const daysOf = (counted: Counted, cycleId: number) =>
  'companies' in counted
    ? sql`select s.status, s.days, s.evaluations from kpi_stage_days s
          where s.cycle_id = ${cycleId} and ${counted.companies('s.entity_id')}`
    : sql`select a.from_status as status, 1 as evaluations,
                 round(extract(epoch from a.at - a.since) / 86400, 1) as days
          from (select t.from_status, t.to_status, t.at,
                       lag(t.at) over (partition by t.evaluation_id order by t.at, t.id) as since
                from scoped v join kpi_evaluation_activity t on t.evaluation_id = v.id
                where t.from_status is distinct from t.to_status) as a
          where a.since is not null and a.to_status <> 'cancelled'
            and a.from_status in ('self_assessment', 'manager_review', 'hr_review', 'pending_acceptance')`;

/** The median: for an even number, the mean of the two in the middle. */
const medians = (counted: Counted, cycleId: number) => sql`
  select status, round(avg(days), 1) as days from (
    select status, days, n, sum(n) over (partition by status order by days) as so_far,
           sum(n) over (partition by status) as total
    from (select status, days, sum(evaluations) as n from (${daysOf(counted, cycleId)}) as stayed
          group by status, days) as counted) as placed
  where 2 * so_far >= total and 2 * (so_far - n) <= total
  group by status`;

// the fence keeps the day from being computed for each stored count
const companies = sql`(select id, (now() at time zone timezone)::date as today from entities offset 0) as n`;

async function figuresOf({ db, actor }: ReadCtx, cycleId: number, chosen: Counted): Promise<Figures> {
  const sumOf = (condition: RawBuilder<unknown>) =>
    sql`coalesce(sum(k.evaluations::int) filter (where ${condition}), 0)`;
  const shown = sql`k.status = 'completed' and ${resultsIn(chosen, 'k.entity_id')}`;
  const { rows } = await sql<Figures>`
    with ${withScoped(chosen, cycleId)} counted as materialized (
      select k.department_id, k.status, k.band, k.flag, grouping(k.department_id) = 0 as is_department,
             sum(k.evaluations::int) as evaluations, ${sumOf(sql`k.due_on < n.today`)} as overdue,
             ${sumOf(sql`k.status = 'completed'`)} as completed, ${sumOf(shown)} as results,
             coalesce(sum(k.percentages) filter (where ${shown}), 0) as percentages
      from (${countsOf(chosen, cycleId)}) as k join ${companies} on n.id = k.entity_id
      -- by department and by status in one pass, because there may be tens of thousands of stored counts
      group by grouping sets ((k.department_id), (k.status, k.band, k.flag))
    ), by_status as (
      select status, sum(evaluations) as evaluations, sum(overdue) as overdue from counted
      where not is_department group by status
    ), results as (
      select band, flag, results as evaluations, percentages from counted
      where not is_department and status = 'completed'
      union all (${ownResult(actor, chosen, cycleId)})
    )
    select now()::timestamptz(3) as as_of,
      (select coalesce(json_object_agg(status, evaluations), '{}') from by_status) as by_status,
      (select coalesce(json_object_agg(status, overdue), '{}') from by_status) as overdue,
      (select coalesce(json_object_agg(band, n), '{}')
       from (select band, sum(evaluations) as n from results where band is not null group by band) as b) as bands,
      (select coalesce(json_object_agg(flag, n), '{}')
       from (select flag, sum(evaluations) as n from results where flag is not null group by flag) as f) as flags,
      (select round(sum(percentages) / nullif(sum(evaluations), 0), 2) from results where band is not null)
        as average_percentage,
      (select coalesce(json_object_agg(status, days), '{}') from (${medians(chosen, cycleId)}) as m) as medians,
      (select coalesce(json_agg(json_build_object('id', d.id, 'name', d.name, 'total', c.total,
                'completed', c.completed, 'overdue', c.overdue) order by d.name_sort, d.id), '[]')
       from (select department_id, evaluations as total, overdue, completed
             from counted where is_department and evaluations > 0) as c
       join departments d on d.id = c.department_id) as departments`.execute(db);
  return rows[0] as Figures;
}

const percent = (part: number, whole: number) => (whole === 0 ? null : Math.round((10_000 * part) / whole) / 100);

const overdueByStep = (overdue: Figures['overdue']): CycleSummary['overdue'] => ({
  self: overdue.self_assessment ?? 0,
  manager: overdue.manager_review ?? 0,
  hr: overdue.hr_review ?? 0,
  acceptance: overdue.pending_acceptance ?? 0,
});

const daysPerStage = (days: Figures['medians']): CycleSummary['median_days_per_stage'] => ({
  self_assessment: days.self_assessment ?? null,
  manager_review: days.manager_review ?? null,
  hr_review: days.hr_review ?? null,
  pending_acceptance: days.pending_acceptance ?? null,
});

/** The figures of a cycle in the reader's scope, or of other counted rows. */
export async function summarise(
  ctx: ReadCtx,
  cycle: Pick<CycleRecord, 'id' | 'name' | 'band_caps' | 'bands'>,
  counted: Counted = {
    companies: (reference) => companiesFor(ctx.actor, 'kpi-cycle.view', reference),
    results: (reference) => resultsFor(ctx.actor, 'kpi-cycle.view', reference),
  },
): Promise<CycleSummary> {
  const figures = await figuresOf(ctx, cycle.id, counted);
  const { as_of, by_status, bands, flags, average_percentage, departments } = figures;
  const at = (status: EvaluationStatus) => by_status[status] ?? 0;
  const total = evaluationStatuses.reduce((sum, status) => sum + at(status), 0);
  return {
    as_of,
    cycle: { id: cycle.id, name: cycle.name },
    total,
    by_status: Object.fromEntries(
      evaluationStatuses.map((status) => [status, at(status)]),
    ) as CycleSummary['by_status'],
    completion_pct: percent(at('completed'), total - at('cancelled')),
    overdue: overdueByStep(figures.overdue),
    average_percentage,
    bands: distributionOf({ A: 0, B: 0, C: 0, D: 0, ...bands }, ...bandsOf(cycle)),
    flags: { pip: 0, standard: 0, hipo: 0, ...flags },
    disputes_open: at('disputed'),
    median_days_per_stage: daysPerStage(figures.medians),
    departments,
  };
}
