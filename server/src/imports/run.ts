import type { AuditVerb, Text } from '@tenure/contract';
import { text } from '@tenure/contract';
import { sql } from 'kysely';
import { holds } from '../access/actor.ts';
import type { Actor } from '../access/actor.ts';
import { record as recordAudit } from '../audit.ts';
import type { Db } from '../db/connect.ts';
import type { Deps } from '../http/context.ts';
import { joinTexts, HttpError, isDatabaseAway, isRetryable } from '../http/errors.ts';
import { inJobTransaction } from '../jobs/task.ts';
import { notifyImportFinished } from '../notifications/imports.ts';
import type { VariantOf } from '../notifications/words.ts';
import { inImportTransaction } from './transaction.ts';
import { ImportFailed } from './kind.ts';
import type { Checking, FileRows, ImportKind, Progress } from './kind.ts';
import { renewLease, LeaseLost, takeLease } from './lease.ts';
import type { Lease } from './lease.ts';
import { missingFields } from './columns.ts';
import { summarise } from './outcomes.ts';
import { countRows, readImport, undoneState } from './record.ts';
import type { ImportRecord } from './record.ts';
import { loadRequester } from './requester.ts';
import { rememberWords } from './values.ts';

export const retentionEnd = sql<string>`now() + interval '7 days'`;

type Run = {
  deps: Deps;
  kind: ImportKind;
  lease: Lease;
  record: ImportRecord;
  /** True when no request awaits the outcome. */
  in_background: boolean;
};

async function notifyEnd(
  db: Db,
  { kind, lease, record, in_background }: Run,
  counts: ImportRecord['counts'],
  variant?: VariantOf<'import_finished'>,
): Promise<void> {
  if (!in_background) return;
  const finished = { ...record, url: kind.page(record.id) };
  await notifyImportFinished({ db }, finished, lease.token, counts, variant);
}

/** The importer with their current rights, reread for each piece of work. */
export async function importerOf(
  db: Db,
  { permission, rightWithdrawn }: Pick<ImportKind, 'permission' | 'rightWithdrawn'>,
  { created_by }: ImportRecord,
): Promise<Actor> {
  const actor = await loadRequester(db, new Map(), created_by);
  if (!actor || !holds(actor, permission)) throw new ImportFailed(rightWithdrawn);
  return actor;
}

/** The context of a check; its progress is visible while its transaction is open. */
async function checkingOf(run: Run, db: Db, keys: FileRows): Promise<Checking> {
  const { deps, kind, record, lease } = run;
  const total = keys.rows.length;
  const onProgress = (processed: number) =>
    renewLease(deps.db, lease, { progress: JSON.stringify({ processed, total }) });
  return { db, actor: await importerOf(deps.db, kind, record), record, onProgress };
}

/** True when required columns of new records are missing. */
export const needsMapping = (
  { vocabulary }: ImportKind,
  { columns, defaults, on_conflict }: Pick<ImportRecord, 'columns' | 'defaults' | 'on_conflict'>,
) => missingFields(vocabulary, columns, defaults, on_conflict).length > 0;

/** The state of a checked import before anything is written. */
export async function previewState(db: Db, record: ImportRecord) {
  const { counts, plan_hash } = await summarise(db, record);
  const state = {
    status: 'preview',
    phase: null,
    counts: JSON.stringify(counts),
    plan_hash,
    stale_rows: null,
    progress: JSON.stringify({ processed: counts.total, total: counts.total }),
    finished_at: sql<string>`now()`,
    expires_at: retentionEnd,
  };
  return { state, counts };
}

const confirmed = { is_confirmed: true, committed_at: sql`now()` };

/** Checks all rows; a dry run ends here. */
async function checkAndShow(run: Run): Promise<void> {
  const { deps, kind, record, lease } = run;
  const { keys, counts } = await inImportTransaction(deps.db, async (db) => {
    const keys = await kind.readKeys(db, record);
    await kind.check(await checkingOf(run, db, keys), keys);
    const { state, counts } = await previewState(db, record);
    const { plan_hash } = state;
    await renewLease(db, lease, record.dry_run ? state : { ...confirmed, phase: 'writing', plan_hash });
    if (record.dry_run) await notifyEnd(db, run, counts, 'checked');
    return { keys, counts };
  });
  if (record.dry_run) return;
  if (record.mode === 'atomic' && counts.failed > 0) throw new ImportFailed(text('imports.some_rows_have_errors'));
  await write(run, keys);
}

/** Rechecks all rows before the first is written; shows the difference if one would have another effect. */
async function confirm(run: Run, keys: FileRows): Promise<boolean> {
  const { deps, kind, record, lease } = run;
  return inImportTransaction(deps.db, async (db) => {
    const checking = await checkingOf(run, db, keys);
    const stale = await kind.findStale(checking, keys);
    if (stale.length === 0) {
      await renewLease(db, lease, confirmed);
      return true;
    }
    await kind.check(checking, keys);
    const stale_rows = JSON.stringify(stale.slice(0, 1_000));
    const { state, counts } = await previewState(db, record);
    await renewLease(db, lease, { ...state, stale_rows });
    await notifyEnd(db, run, counts, 'checked');
    return false;
  });
}

async function write(run: Run, keys: FileRows): Promise<void> {
  const { deps, kind, record, lease } = run;
  const total = keys.rows.length;
  const onDone = (db: Db, { done: processed, made }: Progress) =>
    renewLease(db, lease, {
      progress: JSON.stringify({ processed, total }),
      ...(made.length > 0 && { created_departments: sql`created_departments || ${made}::bigint[]` }),
    });
  await kind.write({ db: deps.db, record, keys, onDone }, async (db) => {
    const counts = await countRows(db, record.id, false);
    await renewLease(db, lease, {
      status: 'completed',
      phase: null,
      counts: JSON.stringify(counts),
      progress: JSON.stringify({ processed: total, total }),
      finished_at: sql`now()`,
      expires_at: null,
      undo_until: kind.undo ? retentionEnd : null,
    });
    await rememberWords(db, kind, record);
    await recordEnd(db, record, 'completed', counts);
    await notifyEnd(db, run, counts);
  });
}

/** Records the end of an import in the audit log. */
async function recordEnd(db: Db, record: ImportRecord, verb: AuditVerb<'import'>, counts: ImportRecord['counts']) {
  const { created, updated, skipped, failed } = counts;
  const actor = { user_id: record.created_by, name: record.created_by_name };
  const changes = Object.fromEntries(
    Object.entries({ created, updated, skipped, failed }).map(([name, to]) => [name, { from: null, to }]),
  );
  await recordAudit(
    { db, actor },
    { action: `import.${verb}`, subject_id: record.id, subject_label: record.file_name, changes },
  );
}

/** Ends a failed import; written rows stay and are counted. */
async function fail(run: Run, reason: Text): Promise<void> {
  const { deps, record, lease } = run;
  const failure = JSON.stringify(reason);
  if (record.phase === 'undoing') return renewLease(deps.db, lease, { ...asBefore(record), failure });
  const counts = await countRows(deps.db, record.id, false);
  await inJobTransaction(deps.db, async (db) => {
    await renewLease(db, lease, {
      status: 'failed',
      phase: null,
      failure,
      counts: JSON.stringify(counts),
      finished_at: sql`now()`,
      expires_at: null,
    });
    await recordEnd(db, record, 'failed', counts);
    await notifyEnd(db, run, counts, 'failed');
  });
}

/** An undo without effect restores the import's previous state. */
const asBefore = ({ undone_at }: ImportRecord) =>
  undone_at === null
    ? { status: 'completed', phase: null, undone_by: null, undone_by_name: null }
    : { status: 'partly_undone', phase: null };

/** Undoes the written rows as far as possible. */
async function undo({ deps, kind, record, lease }: Run): Promise<void> {
  await inImportTransaction(deps.db, async (db) => {
    // a large undo takes longer than a lease
    const onBatch = () => renewLease(deps.db, lease);
    const done = (await kind.undo?.(db, record, onBatch)) ?? { refused: [] };
    if ('refused' in done)
      return renewLease(db, lease, { ...asBefore(record), failure: JSON.stringify(joinTexts(done.refused)) });
    return renewLease(db, lease, { ...undoneState(done.kept), phase: null });
  });
}

async function runPhase(run: Run): Promise<void> {
  const { record, deps, kind } = run;
  if (record.phase === 'undoing') return undo(run);
  if (!record.is_staged) throw new ImportFailed(text('imports.cut_off'));
  if (record.phase === 'checking') return checkAndShow(run);
  const keys = await kind.readKeys(deps.db, record);
  if (record.is_confirmed || (await confirm(run, keys))) await write(run, keys);
}

const passes = (error: unknown) =>
  isDatabaseAway(error) || isRetryable(error) || (error instanceof HttpError && error.status === 503);

/** The import of a given lease, if the lease still holds; without one, takes a lease. Undefined if neither is possible. */
async function leasedImport(db: Db, id: number, given: Lease | undefined) {
  if (!given) return takeLease(db, id);
  const record = await readImport(db, sql`i.id = ${id} and i.lease = ${given.token}`);
  return record && { lease: given, record };
}

/**
 * Runs the pending step of an import: checks, then shows or writes. After a temporary failure a job resumes it when the
 * lease has expired.
 */
export async function runImport(deps: Deps, kind: ImportKind, id: number, given?: Lease): Promise<void> {
  const leased = await leasedImport(deps.db, id, given);
  if (!leased) return;
  const run = { deps, kind, ...leased, in_background: given === undefined };
  try {
    await runPhase(run);
  } catch (error) {
    if (error instanceof LeaseLost) return;
    if (passes(error)) throw error;
    await fail(run, error instanceof ImportFailed ? error.reason : text('imports.unexpected_fault'));
    if (!(error instanceof ImportFailed)) throw error;
  }
}
