import { sql } from 'kysely';
import * as z from 'zod';
import { record } from '../audit.ts';
import { attachmentImportKind } from '../features/attachment-imports/kind.ts';
import { employeeImportKind } from '../features/employee-imports/kind.ts';
import { formerResultImportKind } from '../features/former-result-imports/kind.ts';
import { historyImportKind } from '../features/history-imports/kind.ts';
import { templateImportKind } from '../features/template-imports/kind.ts';
import type { Deps } from '../http/context.ts';
import type { ImportKind } from '../imports/kind.ts';
import { runImport } from '../imports/run.ts';
import { inBatches, inJobTransaction } from './task.ts';
import type { JobContext } from './task.ts';

const kinds: readonly ImportKind[] = [
  employeeImportKind,
  historyImportKind,
  templateImportKind,
  formerResultImportKind,
  attachmentImportKind,
];

const payload = z.object({ id: z.int() });

/** Runs the pending step of an import of any kind. */
export async function workOnImport(deps: Deps, id: number): Promise<void> {
  const found = await deps.db.selectFrom('imports').select('type').where('id', '=', id).executeTakeFirst();
  const kind = kinds.find(({ type }) => type === found?.type);
  if (kind) await runImport(deps, kind, id);
}

/** Runs an import that is too large to run in a request. */
export const runImportJob = ({ deps }: JobContext, sent: unknown): Promise<void> =>
  workOnImport(deps, payload.parse(sent).id);

/** Resumes imports whose worker died: the lease expired without a successor. */
export async function resumeImports({ deps, now }: JobContext): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    select id from imports
    where status = 'processing'
      and coalesce(leased_until, updated_at + interval '60 seconds') < ${now.toString()}::timestamptz
    order by id`.execute(deps.db);
  for (const { id } of rows) await workOnImport(deps, id);
  return rows.length;
}

const batch = 500;

/** Expires unfinished staged imports; their cells are deleted, the record stays. */
export const expireImports = ({ deps, now }: JobContext) =>
  inBatches(batch, () =>
    inJobTransaction(deps.db, async (db) => {
      const { rows } = await sql<{ id: number; file_name: string }>`
        update imports set status = 'expired', phase = null
        where id = any(array(
          select id from imports where status in ('needs_mapping', 'preview')
            and expires_at <= ${now.toString()}::timestamptz limit ${batch} for update skip locked))
        returning id, file_name`.execute(db);
      const entries = rows.map(({ id, file_name }) => ({
        action: 'import.expired' as const,
        subject_id: id,
        subject_label: file_name,
      }));
      await record({ db, actor: null }, ...entries);
      return rows.length;
    }),
  );

/** Deletes the cells of expired imports immediately, and those of finished imports after thirty days. */
export const eraseCells = ({ deps, now }: JobContext) =>
  inBatches(batch * 10, async () => {
    const finished = now.subtract({ hours: 24 * 30 }).toString();
    const { numAffectedRows } = await sql`
      update import_rows set cells = null, changes = null, before = null
      where ctid = any(array(
        select r.ctid from import_rows r join imports i on i.id = r.import_id
        where r.cells is not null
          and (i.status = 'expired' or (i.status in ('completed', 'failed', 'undone', 'partly_undone') and i.finished_at <= ${finished}::timestamptz))
        limit ${batch * 10}))`.execute(deps.db);
    return Number(numAffectedRows ?? 0n);
  });
