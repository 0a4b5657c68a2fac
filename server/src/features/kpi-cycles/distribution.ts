import type { Distribution } from '@tenure/contract';
import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { Actor } from '../../access/actor.ts';
import { nameOrder } from '../../access/scope.ts';
import type { Db } from '../../db/connect.ts';
import { distributionOf } from '../../scores/bands.ts';
import type { Band } from '../../scores/bands.ts';
import { resultsFor } from './policy.ts';
import { bandsOf } from './queries.ts';
import type { CycleRecord } from './queries.ts';

type By = Distribution['by'];
/** One group; the row `is_all` is the total. */
type Counted = Record<Band, number> & {
  is_all: boolean;
  id: number | null;
  name: string | null;
  count: number;
  average_percentage: number | null;
};

const groupsFor = (actor: Actor): Record<By, RawBuilder<unknown>> => ({
  department: sql`select d.id, d.name, d.name_sort as place from departments d`,
  reviewer: sql`select e.id, e.name, ${nameOrder(actor)} as place from employees e`,
});
const keys = { department: sql`v.department_id`, reviewer: sql`v.reviewer_id` } as const satisfies Record<By, unknown>;

/** Completed results that are visible to the reader, by group and in total, without the reader's own. */
async function countResults({ db, actor }: { db: Db; actor: Actor }, cycleId: number, by: By): Promise<Counted[]> {
  const { rows } = await sql<Counted>`
    with counted as (
      select ${keys[by]} as id, grouping(${keys[by]}) = 1 as is_all, count(*) as count,
             round(avg(v.overall_percentage), 2) as average_percentage,
             count(*) filter (where v.band = 'A') as "A", count(*) filter (where v.band = 'B') as "B",
             count(*) filter (where v.band = 'C') as "C", count(*) filter (where v.band = 'D') as "D"
      from (
        select v.department_id, v.reviewer_id, v.overall_percentage, kpi_band(v.cycle_id, v.status, v.overall_percentage) as band
        from kpi_evaluations v
        where v.cycle_id = ${cycleId} and v.status = 'completed' and v.overall_percentage is not null
          and ${resultsFor(actor, 'kpi-cycle.view', 'v.entity_id')}
          and v.employee_id is distinct from ${actor.employee_id}::bigint) as v
      group by grouping sets ((), (${keys[by]})))
    select c.*, g.name from counted c left join (${groupsFor(actor)[by]}) as g on g.id = c.id
    order by c.is_all desc, g.place nulls last, c.id`.execute(db);
  return rows;
}

/** The distribution of a cycle's results over the bands, next to the caps, which are only reported and not enforced. */
export async function distribute(ctx: { db: Db; actor: Actor }, cycle: CycleRecord, by: By): Promise<Distribution> {
  const rows = await countResults(ctx, cycle.id, by);
  const figures = ({ count, average_percentage, A, B, C, D }: Counted) => ({
    count,
    average_percentage,
    bands: distributionOf({ A, B, C, D }, ...bandsOf(cycle)),
  });
  const [all, ...parts] = rows as [Counted, ...Counted[]];
  return {
    as_of: Temporal.Now.instant().toString({ fractionalSecondDigits: 3 }),
    by,
    overall: figures(all),
    groups: parts.map((part) => ({ id: part.id, name: part.name, ...figures(part) })),
  };
}
