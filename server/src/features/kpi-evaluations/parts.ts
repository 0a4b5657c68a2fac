import type { EvaluationPart, KpiEvaluation } from '@tenure/contract';
import { resultOfParts } from '@tenure/contract/result-of-parts';
import { sql } from 'kysely';
import { evaluationsIn } from '../../access/evaluation-scope.ts';
import type { Actor } from '../../access/actor.ts';
import { refTo } from '../../db/refs.ts';
import type { ReadCtx } from '../../http/context.ts';
import { bandIs, bandOf } from '../../scores/bands.ts';
import type { StoredEvaluation } from './record.ts';

/** Evaluations that cover a part of their cycle, and the result of the person. */

/**
 * The name of the cycle `c` in texts about an evaluation `v`: with two parts, a person has two evaluations in a cycle.
 */
export const cycleInTexts = sql<string>`c.name || coalesce(' (' || v.part || '/2)', '')`;

/** The days that an evaluation `v` of a cycle `c` covers. */
export const partColumns = sql<{ part_from: string; part_until: string }>`
  coalesce(v.covers_from, c.start_date) as part_from, coalesce(v.covers_until, c.end_date) as part_until`;

type Parted = {
  part: number | null;
  part_from: string;
  part_until: string;
  employed_days: number | null;
};

/** The part of an evaluation in responses; null for an evaluation of the whole cycle. */
export const partOf = ({ part, part_from, part_until, employed_days }: Parted): EvaluationPart | null =>
  part === null ? null : { number: part, from: part_from, until: part_until, days: employed_days ?? 1 };

/** A part as input for the person's result. */
export type CountedPart = {
  is_seen: boolean;
  is_completed: boolean;
  overall_percentage: number | null;
  days: number;
};

/**
 * JSON for `personResult`: the parts of an evaluation `v` that count in its cycle. Cancelled parts do not; the actor
 * sees those in scope.
 */
export const countedParts = (actor: Actor) => sql<CountedPart[] | null>`
  case when v.part is not null then (
    select json_agg(json_build_object('is_seen', coalesce(${evaluationsIn(actor, 'kpi-evaluation.view', 'x')}, false),
                                      'is_completed', x.status = 'completed',
                                      'overall_percentage', x.overall_percentage, 'days', x.employed_days))
    from kpi_evaluations x
    where x.cycle_id = v.cycle_id and x.employee_id = v.employee_id and x.part is not null and x.status <> 'cancelled') end`;

/** The person's result from all parts; null until each is completed, and if one is not visible. */
export const personResult = (parts: readonly CountedPart[]): number | null =>
  parts.every(({ is_seen, is_completed }) => is_seen && is_completed)
    ? resultOfParts(parts.map(({ overall_percentage, days }) => ({ percentage: overall_percentage, days })))
    : null;

type Found = CountedPart & Parted & { id: number; department: { id: number; name: string } };

/** The person's parts in the cycle of an evaluation that the actor sees, and their common result. */
export async function readWhole({ db, actor }: ReadCtx, row: StoredEvaluation): Promise<KpiEvaluation['whole']> {
  if (row.part === null) return null;
  const { rows } = await sql<Found>`
    select v.id, v.part, ${partColumns}, v.employed_days, v.employed_days as days, ${refTo('d')} as department,
           v.status = 'completed' as is_completed,
           case when v.status = 'completed' then v.overall_percentage end as overall_percentage,
           coalesce(${evaluationsIn(actor, 'kpi-evaluation.view')}, false) as is_seen
    from kpi_evaluations v
    join kpi_cycles c on c.id = v.cycle_id
    join departments d on d.id = v.department_id
    where v.cycle_id = ${row.cycle_id} and v.employee_id = ${row.employee_id} and v.part is not null
      and v.status <> 'cancelled'
    order by v.part`.execute(db);
  const overall_percentage = personResult(rows);
  return {
    parts: rows
      .filter(({ is_seen }) => is_seen)
      .map((part) => ({
        ...(partOf(part) as EvaluationPart),
        id: part.id,
        department: part.department,
        is_completed: part.is_completed,
        overall_percentage: part.overall_percentage,
      })),
    overall_percentage,
    band_name: overall_percentage === null ? null : bandIs(bandOf(overall_percentage, row.bands), row.bands).name,
  };
}
