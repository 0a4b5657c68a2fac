import { stateOf } from '../states.ts';
import { messages, text } from '@tenure/contract';
import type { employeeImports } from '@tenure/contract';
import { sql } from 'kysely';
import { record as recordAudit } from '../audit.ts';
import type { HandlerCtx } from '../http/context.ts';
import { conflict, invalid, invalidFields, say } from '../http/errors.ts';
import type { FieldErrors } from '../http/errors.ts';
import { addJob } from '../jobs/queue.ts';
import { checkRevision } from '../workflow/transition.ts';
import { withProfile } from './profiles.ts';
import { fieldOf, isField } from './columns.ts';
import type { Column } from './columns.ts';
import type { ImportKind } from './kind.ts';
import type { WholeRow } from './queries.ts';
import { maxRowsInRequest } from './record.ts';
import type { Flaws, ImportRecord } from './record.ts';
import { retentionEnd, needsMapping, previewState } from './run.ts';
import { checkSettings, columnsOf, mergeSettings } from './settings.ts';
import { checkValues } from './values.ts';

type UpdateCtx = HandlerCtx<typeof employeeImports.update>;
type FixCtx = HandlerCtx<typeof employeeImports.fixRow>;

const openStates = ['needs_mapping', 'preview'];

/** Only an import that is neither running nor finished can change. */
export function requireStaged(record: ImportRecord, states: readonly string[]) {
  if (!states.includes(record.status))
    throw conflict(text('imports.cannot_be_changed', { state: stateOf(record.status) }), record);
}

/** Stores state of an import. */
export const setImport = (db: UpdateCtx['db'], id: number, state: Record<string, unknown>) =>
  db.updateTable('imports').set(state).where('id', '=', id).execute();

/** Changes how the file is read and rechecks all rows, for a large file in a job. */
export async function updateImport(kind: ImportKind, ctx: UpdateCtx, record: ImportRecord): Promise<void> {
  const { db, actor, body } = ctx;
  requireStaged(record, openStates);
  checkRevision(record, body, record.status);
  const sent = await withProfile(
    ctx,
    body,
    record.columns.map(({ header }) => header),
  );
  const settings = mergeSettings(record, sent);
  checkSettings(
    kind,
    actor,
    settings,
    record.columns.map(({ header }) => header),
  );
  const changed = { ...record, ...settings, columns: columnsOf(kind, record.columns, settings.mapping) };
  if (sent.values) checkValues(kind, sent.values, changed.columns);
  await setImport(db, record.id, {
    ...settings,
    mapping: settings.mapping && JSON.stringify(settings.mapping),
    defaults: JSON.stringify(settings.defaults),
    values: JSON.stringify(settings.values),
    columns: JSON.stringify(changed.columns),
    stale_rows: null,
  });
  await recordAudit(ctx, { action: 'import.updated', subject_id: record.id, subject_label: record.file_name });
  await recheck(kind, ctx, changed);
}

/** Rechecks all rows, for a large file in a job. */
export async function recheck(
  kind: ImportKind,
  { db, actor }: Pick<UpdateCtx, 'db' | 'actor'>,
  record: ImportRecord,
): Promise<void> {
  const { id, progress } = record;
  if (needsMapping(kind, record)) {
    const counts = { total: progress.total, valid: 0, created: 0, updated: 0, skipped: 0, failed: 0, warnings: 0 };
    await sql`update import_rows set status = 'valid', action = 'none', errors = '{}', warnings = '{}', changes = null,
                digest = '' where import_id = ${id}`.execute(db);
    await setImport(db, id, {
      status: 'needs_mapping',
      plan_hash: null,
      counts: JSON.stringify(counts),
      expires_at: retentionEnd,
    });
  } else if (progress.total <= maxRowsInRequest) {
    await kind.check({ db, actor, record }, await kind.readKeys(db, record));
    await setImport(db, id, (await previewState(db, record)).state);
  } else {
    // the previous check is void: the next commit needs this one's outcome
    await setImport(db, id, {
      status: 'processing',
      phase: 'checking',
      dry_run: true,
      plan_hash: null,
      lease: null,
      leased_until: null,
    });
    await addJob(db, 'run_import', { id }, { key: `import:${id}`, maxAttempts: 3 });
  }
}

/** True if a field has a column, or can get one: its name is not the heading of a column of another field. */
export const canHaveColumn = (columns: readonly Column[], field: string): boolean =>
  columns.some((column) => fieldOf(column) === field) ||
  columns.every((column) => column.header.toLowerCase() !== field);

/** The column of a corrected field; a field without a column in the file gets a new one. */
export function columnFor(columns: Column[], field: string): number {
  const index = columns.findIndex((column) => fieldOf(column) === field);
  if (index >= 0) return index;
  return columns.push({ header: field, field, source: 'chosen', sample: null, row: null }) - 1;
}

/** Notes of replaced cells, without cells corrected since, which an undo leaves as they are. */
function keptNotes(replaced: NonNullable<Flaws['replaced']>, corrected: ReadonlySet<string>) {
  const kept = Object.entries(replaced).filter(([index]) => !corrected.has(index));
  if (kept.length === 0) return undefined;
  return Object.fromEntries(
    kept.map(([index, note]) => [index, corrected.size > 0 ? { ...note, edited: true } : note]),
  );
}

/** The cells of a row with their corrections applied. */
function correct({ vocabulary, isFixed }: ImportKind, ctx: FixCtx, record: ImportRecord, row: WholeRow) {
  const columns = record.columns.map((column) => ({ ...column }));
  const cells = [...(row.cells ?? [])];
  const errors: FieldErrors = {};
  const formulas = new Set(row.flaws?.formulas);
  const corrected = new Set<string>();
  for (const [field, content] of Object.entries(ctx.body.cells ?? {})) {
    if (!isField(vocabulary, field) || isFixed?.(field) || !canHaveColumn(columns, field)) {
      errors[`cells.${field}`] = [say(`cells.${field}`, text('validation.selected'))];
      continue;
    }
    const index = columnFor(columns, field);
    while (cells.length < index) cells.push('');
    cells[index] = content ?? '';
    formulas.delete(index);
    corrected.add(String(index));
  }
  if (Object.keys(errors).length > 0) throw invalidFields(errors);
  const { surplus, left_out: wasLeftOut = false } = row.flaws ?? {};
  const replaced = row.flaws?.replaced && keptNotes(row.flaws.replaced, corrected);
  const left_out = ctx.body.left_out ?? wasLeftOut;
  const flaws: Flaws = {
    ...(formulas.size > 0 && { formulas: [...formulas] }),
    ...(surplus && { surplus }),
    ...(left_out && { left_out }),
    ...(replaced && { replaced }),
  };
  return { columns, cells, flaws: Object.keys(flaws).length > 0 ? flaws : null };
}

/** Corrects cells of a row or skips it; rechecks conflicting and dependent rows. */
export async function fixRow(kind: ImportKind, ctx: FixCtx, record: ImportRecord, row: WholeRow): Promise<void> {
  const { db, actor, body } = ctx;
  requireStaged(record, ['preview']);
  if (!body.cells && body.left_out === undefined) throw invalid('cells', messages.required);
  const { columns, cells, flaws } = correct(kind, ctx, record, row);
  const before = await kind.readKeys(db, record);
  await sql`
    update import_rows set cells = ${JSON.stringify(cells)}::jsonb, flaws = ${flaws && JSON.stringify(flaws)}::jsonb,
      edited = edited or ${body.cells !== undefined}
    where import_id = ${record.id} and "row" = ${row.row}`.execute(db);
  const changed = { ...record, columns };
  const after = await kind.readKeys(db, changed);
  await kind.check({ db, actor, record: changed }, after, kind.affected([row.row], before, after));
  await setImport(db, record.id, { ...(await previewState(db, changed)).state, columns: JSON.stringify(columns) });
  await recordAudit(ctx, {
    action: 'import.row_corrected',
    subject_id: record.id,
    subject_label: record.file_name,
    changes: {
      row: { from: null, to: row.row },
      ...(body.cells && { fields: { from: null, to: Object.keys(body.cells) } }),
      ...(body.left_out !== undefined && { left_out: { from: row.left_out, to: body.left_out } }),
    },
  });
}
