import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import { record } from '../../audit.ts';
import type { Upload } from '../../http/body.ts';
import type { FileReply, ReadCtx, ServiceCtx } from '../../http/context.ts';
import { notFound } from '../../http/errors.ts';
import { describeUpload, fileReply } from '../../http/stored-files.ts';
import type { StoredFile } from '../../http/stored-files.ts';
import { labelOf } from './history.ts';
import type { StoredReview } from './record.ts';
import { sightOf } from './visibility.ts';

/** The sheet of a review `v` as JSON; null for a review without one. */
export const sheetOf: RawBuilder<unknown> = sql`(
  select json_build_object('file_name', f.file_name, 'mime_type', f.mime_type, 'size', f.size, 'checksum', f.checksum,
                           'scan_status', f.scan_status)
  from probation_sheets f where f.review_id = v.id)`;

/** Stores the sheet that an employee signed by hand. It is never deleted later. */
export async function keepSheet({ db, deps, actor }: ServiceCtx, reviewId: number, file: Upload): Promise<void> {
  const described = await describeUpload(deps, file, 'sheet');
  await db
    .insertInto('probation_sheets')
    .values({
      review_id: reviewId,
      ...described,
      file_key: await deps.files.keep(file),
      scan_status: 'not_scanned',
      uploaded_by: actor.user_id,
      uploaded_by_name: actor.name,
    })
    .execute();
}

type KeptSheet = StoredFile & { uploaded_by: number | null };

/** The sheet of a loaded review. Throws 404 if there is none or the result is not visible. */
export async function findSheet({ db, actor }: ReadCtx, row: StoredReview): Promise<KeptSheet> {
  if (!sightOf(actor, row).result) throw notFound();
  const { rows } = await sql<KeptSheet>`
    select id, file_key, file_name, mime_type, scan_status, uploaded_by from probation_sheets
    where review_id = ${row.id}`.execute(db);
  const [sheet] = rows;
  if (!sheet) throw notFound();
  return sheet;
}

/** Downloads the sheet; the log records who downloaded it, except for the user who uploaded it. */
export async function replyWithSheet(ctx: ServiceCtx, row: StoredReview, sheet: KeptSheet): Promise<FileReply> {
  const reply = await fileReply(ctx.deps, 'sheet', sheet);
  if (sheet.uploaded_by !== ctx.actor.user_id)
    await record(ctx, {
      action: 'probation_review.sheet',
      subject_id: row.id,
      subject_label: labelOf(row),
      entity_id: row.entity_id,
      about_employee_id: row.employee_id,
    });
  return reply;
}
