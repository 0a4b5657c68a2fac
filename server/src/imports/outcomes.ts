import type { FieldErrors } from '../http/errors.ts';
import type { Text } from '@tenure/contract';
import { text } from '@tenure/contract';
import { sql } from 'kysely';
import type { Db } from '../db/connect.ts';
import { countRows } from './record.ts';
import type { ImportRecord, Outcome } from './record.ts';

const saved = 2_000;

/** The first of the messages about fields. */
export const firstMessage = (errors: FieldErrors): Text => Object.values(errors).flat()[0] as Text;

/** The error of a row that makes a whole import fail. */
export const rowMessage = ({ row, errors }: Pick<Outcome, 'row' | 'errors'>): Text =>
  text('imports.row_message', { row, message: firstMessage(errors) });

/** Stores the outcomes of the check with the rows. */
export async function saveOutcomes(db: Db, importId: number, outcomes: readonly Outcome[]): Promise<void> {
  for (let start = 0; start < outcomes.length; start += saved)
    await sql`
      update import_rows r
      set status = t.status, action = t.action, key = t.key, subject_id = t.subject_id, errors = t.errors,
          warnings = t.warnings, changes = t.changes, digest = t.digest
      from jsonb_to_recordset(${JSON.stringify(outcomes.slice(start, start + saved))}::jsonb) as t (
        "row" int, status text, action text, key text, subject_id bigint, errors jsonb, warnings jsonb,
        changes jsonb, digest text)
      where r.import_id = ${importId} and r."row" = t."row"`.execute(db);
}

/** Counts the rows and hashes what a commit would do. */
export async function summarise(db: Db, { id, mode }: ImportRecord) {
  const counts = await countRows(db, id, true);
  const { rows } = await sql<{ plan_hash: string }>`
    select left(encode(sha256(convert_to(${mode}::text || coalesce(string_agg("row" || ':' || digest, ',' order by "row"), ''), 'UTF8')), 'hex'), 16)
             as plan_hash
    from import_rows where import_id = ${id} and digest <> ''`.execute(db);
  return { counts, plan_hash: (rows[0] as { plan_hash: string }).plan_hash };
}
