import type { CyclesReport, QueryOut, reports } from '@tenure/contract';
import { sql } from 'kysely';
import { reachOf } from '../../access/actor.ts';
import type { ReadCtx } from '../../http/context.ts';
import { cyclesFor } from '../kpi-cycles/policy.ts';
import { companiesCounted } from './scope.ts';

const shown = 8;
/** The minimum number of results: fewer say more about single people than about a cycle. */
const fewest = 5;

/** The results of the last cycles in the reader's companies, from the stored counts, without the reader's own. */
export async function reportCycles(
  { db, actor }: Pick<ReadCtx, 'db' | 'actor'>,
  { entity_id }: QueryOut<typeof reports.cycles>,
): Promise<CyclesReport> {
  const reach = reachOf(actor, 'dashboard.view_all');
  const inCompanies = (reference: string) => companiesCounted(reach, entity_id, reference);
  const { rows } = await sql<CyclesReport['cycles'][number]>`
    select c.id, c.name, c.end_date, k.evaluations, r.results,
           case when r.results >= ${fewest} then round(r.percentages / r.results, 2) end as average_percentage
    from kpi_cycles c
    cross join lateral (
      select coalesce(sum(k.evaluations) filter (where k.status <> 'cancelled'), 0) as evaluations,
             coalesce(sum(k.evaluations) filter (where k.status = 'completed' and k.band is not null), 0) as results,
             coalesce(sum(k.percentages) filter (where k.status = 'completed' and k.band is not null), 0) as percentages
      from kpi_company_counts k where k.cycle_id = c.id and ${inCompanies('k.entity_id')}) as k
    cross join lateral (
      select k.results - count(*) as results, k.percentages - coalesce(sum(v.overall_percentage), 0) as percentages
      from kpi_evaluations v
      where v.cycle_id = c.id and v.employee_id = ${actor.employee_id}::bigint and v.status = 'completed'
        and v.overall_percentage is not null and ${inCompanies('v.entity_id')}) as r
    where c.status <> 'draft' and ${cyclesFor(actor, 'dashboard.view_all')} and k.evaluations > 0
    order by c.published_at desc nulls last, c.id desc limit ${shown}`.execute(db);
  return { as_of: Temporal.Now.instant().toString({ fractionalSecondDigits: 3 }), cycles: rows };
}
