import type { Permission, ProbationReview, ProbationReviewRow } from '@tenure/contract';
import { sql } from 'kysely';
import type { RawBuilder, SqlBool } from 'kysely';
import { allColumns } from '../../db/all-columns.ts';
import type { Db } from '../../db/connect.ts';
import type { ReadCtx } from '../../http/context.ts';
import { notFound } from '../../http/errors.ts';
import { presentReview, presentRow } from './present.ts';
import type { ListedReview, StoredReview } from './record.ts';
import { reviewsIn } from '../../access/review-scope.ts';
import { sheetOf } from './sheet.ts';
import { readSignatures } from './signature-rows.ts';
import { nameColumns, nameTables, readInOrder } from '../../workflow/row.ts';
import { factColumns, factTables } from './capacities.ts';
import { sightOf } from './visibility.ts';

/** The tables of the columns below; `v` is the review. */
const listedTables = sql`${factTables} ${nameTables}`;

// without the texts, which are most of a row and appear in no list
const listedColumns = sql<ListedReview>`${factColumns}, ${nameColumns},
  v.probation_start_date, v.sequence, v.previous_review_id, v.review_date, v.due_date, v.status_changed_at,
  v.performance_rating, v.criteria_score, v.recommendation, v.extension_months, v.outcome,
  v.outcome_extension_months, v.extended_until, v.effective_date, v.decided_at, v.decided_by, v.decided_by_name, v.reverted_at,
  v.created_at, v.updated_at`;

async function readStored(db: Db, condition: RawBuilder<SqlBool>): Promise<StoredReview> {
  const { rows } = await sql<StoredReview>`
    select ${allColumns('probation_reviews', 'v')}, ${factColumns}, ${nameColumns}, ${sheetOf} as sheet from ${listedTables} where ${condition}`.execute(
    db,
  );
  const [row] = rows;
  if (!row) throw notFound();
  return row;
}

/**
 * Finds the review of a path.
 * @throws 404 for a review outside the scope of all these permissions, and for one's own before it is decided
 */
export const findReview = ({ db, actor }: ReadCtx, id: number, permissions: Permission | readonly Permission[]) =>
  readStored(db, sql`v.id = ${id} and ${reviewsIn(actor, permissions)}`);

/** A loaded review with its signatures, with the fields that the actor sees. */
export async function showReview({ db, actor }: ReadCtx, row: StoredReview): Promise<ProbationReview> {
  const sight = sightOf(actor, row);
  return presentReview(actor, row, { sight, signatures: await readSignatures(db, row.id, sight) });
}

/** The current review with the fields that the actor sees: the response of each change. */
export const readReview = async (ctx: ReadCtx, id: number): Promise<ProbationReview> =>
  showReview(ctx, await readStored(ctx.db, sql`v.id = ${id}`));

/** Rows of a list in the order of their ids. */
export async function readRows({ db, actor }: ReadCtx, ids: readonly number[]): Promise<ProbationReviewRow[]> {
  const rows = await readInOrder(db, ids, { columns: listedColumns, tables: listedTables });
  return rows.map(presentRow(actor));
}
