import { messages, text } from '@tenure/contract';
import type { BodyOut, Evidence, kpiEvidence } from '@tenure/contract';
import { sql } from 'kysely';
import { record } from '../../audit.ts';
import type { Db } from '../../db/connect.ts';
import { evidencePer } from '../../files/limits.ts';
import type { Upload } from '../../http/body.ts';
import type { ServiceCtx } from '../../http/context.ts';
import { conflict, invalid } from '../../http/errors.ts';
import { describeUpload } from '../../http/stored-files.ts';
import { stageOf } from './evidence.ts';
import type { StoredEvidence } from './evidence.ts';
import type { EvaluationFacts } from './capacities.ts';
import { requireStep } from './transitions.ts';
import type { EvaluationRecord } from './step.ts';

type Body = BodyOut<typeof kpiEvidence.create>;

/** Only readers of the step see its evidence, so the log only says to which step it belongs. */
export const recordEvidence = (
  ctx: Pick<ServiceCtx, 'db' | 'actor' | 'request'>,
  verb: 'created' | 'deleted' | 'downloaded',
  row: EvaluationFacts,
  { id, stage }: { id: number; stage: Evidence['stage'] },
) =>
  record(ctx, {
    action: `kpi_evidence.${verb}`,
    subject_id: id,
    subject_label: `${row.person_name}, ${row.cycle_name}`,
    entity_id: row.entity_id,
    about_employee_id: row.employee_id,
    ...(verb === 'created' && { changes: { stage: { from: null, to: stage } } }),
  });

/** The caller has locked the evaluation, so that simultaneous uploads count each other. */
async function refuseTooMany(db: Db, row: EvaluationRecord, itemId: number | null): Promise<void> {
  const { rows } = await sql<{ all: number; of_item: number }>`
    select count(*) as all, count(*) filter (where item_id = ${itemId}::bigint) as of_item
    from kpi_evidence where evaluation_id = ${row.id}`.execute(db);
  const { all, of_item } = rows[0] as { all: number; of_item: number };
  const { evaluation, item } = evidencePer;
  if (of_item >= item) throw invalid('item_id', text('evidence.too_many_of_item', { most: item }));
  if (all >= evaluation) throw invalid('file', text('evidence.too_many_of_evaluation', { most: evaluation }));
}

async function refuseForeignItem(db: Db, row: EvaluationRecord, itemId: number | null): Promise<void> {
  if (itemId === null) return;
  const { rows } = await sql`
    select from kpi_evaluation_items where id = ${itemId} and evaluation_id = ${row.id}`.execute(db);
  if (rows.length === 0) throw invalid('item_id', messages.unavailable);
}

const over = text('evidence.step_over');

/** The step whose evidence can be added or removed now; throws 422 when its time is over or the cycle is closed. */
function openStage(ctx: ServiceCtx, row: EvaluationRecord): Evidence['stage'] {
  requireStep(ctx.actor, row, 'update', {});
  const stage = stageOf(row);
  if (!stage) throw conflict(over, row);
  return stage;
}

/**
 * Adds a file, a link or a note, or several of them as one piece, to the current step of a locked evaluation. Links are
 * stored unchanged and never requested.
 * @returns its id
 */
export async function addEvidence(
  ctx: ServiceCtx,
  row: EvaluationRecord,
  { file, body: { item_id = null, note = null, url = null } }: { file: Upload | null; body: Body },
): Promise<number> {
  const { db, deps, actor } = ctx;
  if (!file && note === null && url === null) throw invalid('file', text('evidence.file_needed'));
  await refuseForeignItem(db, row, item_id);
  const described = file && (await describeUpload(deps, file, 'evidence'));
  const stage = openStage(ctx, row);
  await refuseTooMany(db, row, item_id);
  const { id } = await db
    .insertInto('kpi_evidence')
    .values({
      evaluation_id: row.id,
      item_id,
      stage,
      note,
      url,
      ...(file && { ...described, file_key: await deps.files.keep(file), scan_status: 'not_scanned' }),
      uploaded_by: actor.user_id,
      uploaded_by_name: actor.name,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await recordEvidence(ctx, 'created', row, { id, stage });
  return id;
}

/** Stores the signed sheet of an answer, even beyond the limit of evidence. It is never deleted later. */
export async function keepSheet(ctx: ServiceCtx, row: EvaluationRecord, file: Upload): Promise<void> {
  const { db, deps, actor } = ctx;
  const described = await describeUpload(deps, file, 'evidence');
  const { id } = await db
    .insertInto('kpi_evidence')
    .values({
      evaluation_id: row.id,
      stage: 'answer',
      ...described,
      file_key: await deps.files.keep(file),
      scan_status: 'not_scanned',
      uploaded_by: actor.user_id,
      uploaded_by_name: actor.name,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await recordEvidence(ctx, 'created', row, { id, stage: 'answer' });
}

/** Removes a piece of evidence of the current step; its file is deleted a day later. */
export async function removeEvidence(ctx: ServiceCtx, row: EvaluationRecord, piece: StoredEvidence): Promise<void> {
  if (openStage(ctx, row) !== piece.stage) throw conflict(over, row);
  await ctx.db.deleteFrom('kpi_evidence').where('id', '=', piece.id).execute();
  if (piece.file_key !== null) await ctx.db.insertInto('removed_files').values({ file_key: piece.file_key }).execute();
  await recordEvidence(ctx, 'deleted', row, piece);
}
