import type { Ref } from '@tenure/contract';
import { sql } from 'kysely';
import type { RawBuilder, SqlBool } from 'kysely';
import { isByCompany, reachOf } from '../../access/actor.ts';
import type { Actor } from '../../access/actor.ts';
import { either, entitiesIn } from '../../access/scope.ts';
import type { Db } from '../../db/connect.ts';
import { every, oneOfIds } from '../../db/lists.ts';
import { cardReach } from '../../people/policy.ts';
import type { CycleRecord } from '../kpi-cycles/queries.ts';
import { cyclesFor } from '../kpi-cycles/policy.ts';
import { evaluationsIn } from '../../access/evaluation-scope.ts';
import { companiesCounted, peopleCounted } from './scope.ts';
import type { Asked, Sight } from './scope.ts';

type Condition = RawBuilder<SqlBool>;
export type Choices = {
  entities: Ref[];
  cycles: Ref[];
  /** The selected cycle; null if there is none. */
  cycle: Pick<CycleRecord, 'id' | 'name' | 'band_caps' | 'bands'> | null;
};

/** Companies with people that the reader sees. */
function companies(actor: Actor, { people }: Sight): Condition {
  const reach = people ?? cardReach(actor);
  const own = sql<SqlBool>`n.id = (select o.entity_id from employees o where o.id = ${actor.employee_id}::bigint)`;
  if (isByCompany(reach)) return either([entitiesIn(reach, 'n.id'), own]);
  // an array, because a join would search the people of each company for one that the reader sees
  return sql<SqlBool>`n.id = any(array(select e.entity_id from employees e where ${peopleCounted(actor, reach, undefined)}))`;
}

/** Published cycles with evaluations that the reader sees. */
function cycles(actor: Actor, { evaluations = 'kpi-evaluation.view' }: Sight): Condition {
  const inScope = isByCompany(reachOf(actor, evaluations))
    ? cyclesFor(actor, evaluations)
    : sql<SqlBool>`c.id in (select v.cycle_id from kpi_evaluations v where ${evaluationsIn(actor, evaluations)})`;
  return every([sql<SqlBool>`c.status <> 'draft'`, inScope]);
}

type Query = { entity_id?: Asked; cycle_id?: Asked };

/** The number of evaluations of cycle `c` that the reader sees in the requested companies. */
function sizeOf(actor: Actor, { evaluations = 'kpi-evaluation.view' }: Sight, entityIds: Asked) {
  const reach = reachOf(actor, evaluations);
  return isByCompany(reach)
    ? sql`(select coalesce(sum(k.evaluations), 0) from kpi_company_counts k
           where k.cycle_id = c.id and k.status <> 'cancelled' and ${companiesCounted(reach, entityIds, 'k.entity_id')})`
    : sql`(select count(*) from kpi_evaluations v
           where v.cycle_id = c.id and v.status <> 'cancelled' and ${evaluationsIn(actor, evaluations)}
             and ${every(oneOfIds(sql`v.entity_id`, entityIds))})`;
}

/** The number of recent cycles that define the usual size. */
const compared = 5;

/**
 * The choices, and the selected cycle: the requested one, else the latest published one of usual size. A cycle with
 * less than half of the evaluations of the largest recent one, such as a pilot, is only chosen if there is no other.
 */
export async function choicesFor(
  { db, actor }: { db: Db; actor: Actor },
  sight: Sight,
  query: Query,
): Promise<Choices> {
  const chosen = every([
    ...oneOfIds(sql`id`, query.cycle_id),
    ...(query.entity_id ? [sql<SqlBool>`(entity_id is null or entity_id = any(${query.entity_id}::bigint[]))`] : []),
  ]);
  const { rows } = await sql<Choices>`
    with seen as materialized (select c.* from kpi_cycles c where ${cycles(actor, sight)}),
    sized as materialized (
      select c.*, ${sizeOf(actor, sight, query.entity_id)} as size from seen c where ${chosen}
      order by c.published_at desc nulls last, c.id desc)
    select
      (select coalesce(json_agg(json_build_object('id', n.id, 'name', n.name) order by n.name_sort, n.id), '[]')
       from entities n where ${companies(actor, sight)}) as entities,
      (select coalesce(json_agg(json_build_object('id', id, 'name', name) order by start_date desc, id desc), '[]')
       from seen) as cycles,
      (select json_build_object('id', id, 'name', name, 'band_caps', band_caps, 'bands', bands) from sized
       order by 2 * size >= (select max(size) from (select size from sized limit ${compared}) as recent) desc,
                status = 'published' desc, published_at desc nulls last, id desc limit 1) as cycle`.execute(db);
  return rows[0] as Choices;
}
