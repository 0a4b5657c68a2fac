import { text } from '@tenure/contract';
import type { employeeImports } from '@tenure/contract';
import { sql } from 'kysely';
import { record as recordAudit } from '../audit.ts';
import { detect } from '../files/detect.ts';
import { extensionOf } from '../files/names.ts';
import { openTurns } from '../files/turns.ts';
import type { TurnLimits } from '../files/turns.ts';
import type { HandlerCtx } from '../http/context.ts';
import { invalid, invalidFields, say } from '../http/errors.ts';
import { addJob } from '../jobs/queue.ts';
import { inJobTransaction } from '../jobs/task.ts';
import { readSheet } from '../spreadsheets/read.ts';
import type { Sheet } from '../spreadsheets/read.ts';
import { SheetRefused } from '../spreadsheets/refusal.ts';
import type { SheetFormat } from '../spreadsheets/sheet.ts';
import { missingFields } from './columns.ts';
import type { Column } from './columns.ts';
import type { ImportKind } from './kind.ts';
import { renewLease, leaseEnd, newLease, released } from './lease.ts';
import type { Lease } from './lease.ts';
import { answerFor } from './present.ts';
import { withProfile } from './profiles.ts';
import { maxRowsInRequest } from './record.ts';
import type { Settings } from './record.ts';
import { retentionEnd, runImport } from './run.ts';
import { checkSettings, columnsOf, mergeSettings, plainSettings } from './settings.ts';
import { stageRows } from './staging.ts';
import { checkValues } from './values.ts';

type Ctx = HandlerCtx<typeof employeeImports.create>;
/** What is known about a file before it is stored. */
type ParsedHeader = {
  header_row: number | null;
  settings: Settings;
  columns: Column[];
  format: SheetFormat | 'zip';
  missing: boolean;
};

async function formatOf({ file: { use } }: ImportKind, { file }: Ctx): Promise<SheetFormat> {
  const detected = await detect(file.path, file.file_name, use);
  if ('refusal' in detected) {
    // the reader refuses other encodings and says how to fix them
    if (extensionOf(file.file_name) === 'csv') await (await readSheet(file.path, 'csv')).close();
    throw invalid('file', detected.refusal);
  }
  return detected.extension === 'xlsx' ? 'xlsx' : 'csv';
}

/** Refuses an unusable header before anything is stored. */
function readHeader(
  kind: ImportKind,
  { actor, body }: Ctx,
  { header, row: header_row }: Pick<Sheet, 'header' | 'row'>,
  format: SheetFormat,
): ParsedHeader {
  const { dry_run, header_row: _chosen, ...sent } = body;
  const settings = mergeSettings(plainSettings, sent);
  checkSettings(kind, actor, settings, header);
  const columns = columnsOf(
    kind,
    header.map((heading) => ({ header: heading, sample: null, row: null })),
    settings.mapping,
  );
  checkValues(kind, settings.values, columns);
  const missing = missingFields(kind.vocabulary, columns, settings.defaults, settings.on_conflict);
  if (missing.length > 0 && !dry_run)
    throw invalidFields({
      file: missing.map((field) => say(field, text('imports.no_column_for'))),
    });
  return { header_row, settings, columns, format, missing: missing.length > 0 };
}

/** Refuses a file whose import is running. Within minutes, a job resumes or ends imports of dead processes. */
async function refuseRunning({ type }: ImportKind, { db, file }: Ctx): Promise<void> {
  const { rows } = await sql<{ id: number }>`
    select id from imports where type = ${type} and file_hash = ${file.sha256} and status = 'processing'`.execute(db);
  if (rows[0]) throw invalid('file', text('imports.running_already_as', { import: rows[0].id }));
}

const valuesOf = (
  { type }: ImportKind,
  { actor, file, body }: Ctx,
  { settings, columns, format, header_row }: ParsedHeader,
) => ({
  type,
  status: 'processing',
  phase: 'checking',
  file_name: file.file_name.slice(0, 255),
  file_size: file.size,
  file_hash: file.sha256,
  format,
  header_row,
  dry_run: body.dry_run ?? false,
  ...settings,
  mapping: settings.mapping && JSON.stringify(settings.mapping),
  defaults: JSON.stringify(settings.defaults),
  values: JSON.stringify(settings.values),
  columns: JSON.stringify(columns),
  leased_until: leaseEnd,
  created_by: actor.user_id,
  created_by_name: actor.name,
});

/** Claims the file: of two simultaneous uploads, only one continues. */
export async function claim(kind: ImportKind, ctx: Ctx, parsed: ParsedHeader): Promise<Lease> {
  const token = newLease();
  const inserted = await inJobTransaction(ctx.deps.db, async (db) => {
    const answerFirst = await ctx.claimKey(db);
    const made = await db
      .insertInto('imports')
      .values({ ...valuesOf(kind, ctx, parsed), lease: token })
      .onConflict((oc) => oc.doNothing())
      .returning('id')
      .executeTakeFirst();
    if (made) await answerFirst(await answerFor(kind, { db, actor: ctx.actor, params: made }));
    return made;
  });
  if (inserted) return { id: inserted.id, token };
  await refuseRunning(kind, ctx);
  throw invalid('file', text('imports.running_already'));
}

async function stage(ctx: Ctx, lease: Lease, sheet: Sheet, { columns }: ParsedHeader): Promise<number> {
  const { db } = ctx;
  const total = await stageRows(db, lease.id, sheet, columns, (rows) =>
    renewLease(db, lease, { progress: JSON.stringify({ processed: 0, total: rows }) }),
  );
  await renewLease(db, lease, { columns: JSON.stringify(columns), is_staged: true });
  await recordAudit(ctx, { action: 'import.created', subject_id: lease.id, subject_label: ctx.file.file_name });
  return total;
}

/** Runs the staged import in the request, or starts a job. */
export async function runOrQueue(
  kind: ImportKind,
  { db, deps }: Ctx,
  { lease, total, missing }: { lease: Lease; total: number; missing: boolean },
): Promise<void> {
  if (missing) {
    const counts = { total, valid: 0, created: 0, updated: 0, skipped: 0, failed: 0, warnings: 0 };
    const state = { status: 'needs_mapping', phase: null, counts: JSON.stringify(counts), expires_at: retentionEnd };
    await renewLease(db, lease, {
      ...state,
      progress: JSON.stringify({ processed: 0, total }),
      finished_at: sql`now()`,
    });
  } else if (total <= maxRowsInRequest) await runImport(deps, kind, lease.id, lease);
  else {
    await renewLease(db, lease, released);
    await addJob(db, 'run_import', { id: lease.id }, { key: `import:${lease.id}`, maxAttempts: 3 });
  }
}

const toRefusal = (error: unknown) => (error instanceof SheetRefused ? invalid('file', error.reason) : error);

/** Limits tables being read at once, one per user: each may take 300 MB and a processor. */
export const tableTurns = { running: 3, waiting: 32, waitingOfOne: 12, waitMs: 30_000 } satisfies TurnLimits;
const inTurn = openTurns(tableTurns);

/**
 * Stages the rows of a file, checks them, and writes them unless it is a dry run. An unreadable file leaves no import
 * behind. Returns the id of the import; rejects with `NoTurn` when too many files are queued.
 */
export const uploadImport = (kind: ImportKind, ctx: Ctx): Promise<number> =>
  inTurn(() => readAndStage(kind, ctx), ctx.actor.user_id);

async function readAndStage(kind: ImportKind, ctx: Ctx): Promise<number> {
  let lease: Lease | undefined;
  try {
    const format = await formatOf(kind, ctx);
    await using sheet = await readSheet(ctx.file.path, format, {
      limits: kind.file.limits,
      header_row: ctx.body.header_row,
    });
    const body = await withProfile(ctx, ctx.body, sheet.header);
    const parsed = readHeader(kind, { ...ctx, body }, sheet, format);
    lease = await claim(kind, ctx, parsed);
    const total = await stage(ctx, lease, sheet, parsed);
    await runOrQueue(kind, ctx, { lease, total, missing: parsed.missing });
    return lease.id;
  } catch (error) {
    if (error instanceof SheetRefused && lease)
      await ctx.db.deleteFrom('imports').where('id', '=', lease.id).where('status', '=', 'processing').execute();
    throw toRefusal(error);
  }
}
