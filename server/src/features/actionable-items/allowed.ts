import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { Actor } from '../../access/actor.ts';
import type { Db } from '../../db/connect.ts';
import * as evaluation from '../kpi-evaluations/transitions.ts';
import * as evaluations from '../kpi-evaluations/capacities.ts';
import * as review from '../probation-reviews/transitions.ts';
import * as reviews from '../probation-reviews/capacities.ts';
import type { Kind } from './kind.ts';

async function checkedOf<Row extends { id: number }>(
  db: Db,
  ids: readonly number[],
  { factColumns, factTables }: { factColumns: RawBuilder<Row>; factTables: RawBuilder<unknown> },
): Promise<Row[]> {
  if (ids.length === 0) return [];
  const { rows } = await sql<Row>`
    select ${factColumns} from ${factTables} where v.id = any(${ids}::bigint[])`.execute(db);
  return rows;
}

const keyOf = (subject: Kind['subject'], id: number) => `${subject}:${id}`;

/** The actions that state and rights allow on the evaluations and reviews of a page, one statement for each type. */
export async function check(
  { db, actor }: { db: Db; actor: Actor },
  page: readonly { subject: Kind['subject']; id: number }[],
): Promise<(subject: Kind['subject'], id: number) => readonly string[] | undefined> {
  const idsOf = (wanted: Kind['subject']) => page.filter(({ subject }) => subject === wanted).map(({ id }) => id);
  const ofKpi = await checkedOf<evaluations.EvaluationFacts>(db, idsOf('kpi_evaluation'), evaluations);
  const ofProbation = await checkedOf<reviews.ReviewFacts>(db, idsOf('probation_review'), reviews);
  const checked = new Map<string, readonly string[]>([
    ...ofKpi.map((row) => [keyOf('kpi_evaluation', row.id), evaluation.allowedActions(actor, row)] as const),
    ...ofProbation.map((row) => [keyOf('probation_review', row.id), review.allowedActions(actor, row)] as const),
  ]);
  return (subject, id) => checked.get(keyOf(subject, id));
}
