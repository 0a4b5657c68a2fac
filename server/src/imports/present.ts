import { text } from '@tenure/contract';
import type { employeeImports, ReplyIn, Text } from '@tenure/contract';
import type { Actor } from '../access/actor.ts';
import type { ReadCtx } from '../http/context.ts';
import { done } from '../http/replies.ts';
import { fieldOf } from './columns.ts';
import type { Column } from './columns.ts';
import type { ImportKind } from './kind.ts';
import { allowedActions, findImport } from './policy.ts';
import type { ImportRecord } from './record.ts';

/** An import before its messages are rendered. */
type Import = ReplyIn<typeof employeeImports.get>['data'];
export type ImportRow = ReplyIn<typeof employeeImports.list>['data'][number];
export type StagedRow = ReplyIn<typeof employeeImports.rows>['data'][number];

const pick = <T, K extends keyof T>(from: T, keys: readonly K[]): Pick<T, K> =>
  Object.fromEntries(keys.map((key) => [key, from[key]])) as Pick<T, K>;

const asStored = [
  'id',
  'type',
  'status',
  'phase',
  'file_name',
  'file_size',
  'file_hash',
  'format',
  'header_row',
  'dry_run',
  'mode',
  'on_conflict',
  'date_format',
  'create_departments',
  'progress',
  'counts',
  'plan_hash',
  'failure',
  'stale_rows',
  'committed_at',
  'finished_at',
  'expires_at',
  'undo_until',
  'undone_at',
  'revision',
  'created_at',
  'updated_at',
] as const;

/** An import as shown in lists. */
export function presentRow(kind: ImportKind, actor: Actor, record: ImportRecord): ImportRow {
  const hidden = kind.hiddenFrom(actor, record);
  const hides = (header: string) => record.columns.some((one) => one.header === header && hidden.has(one.field ?? ''));
  const values = Object.entries(record.values).filter(([header]) => !hides(header));
  return {
    ...pick(record, asStored),
    mapping: record.mapping && { ...record.mapping },
    defaults: Object.fromEntries(Object.entries(record.defaults).filter(([field]) => !hidden.has(field))),
    values: Object.fromEntries(values.map(([header, texts]) => [header, { ...texts }])),
    created_by: { user_id: record.created_by, name: record.created_by_name },
    undone_by: record.undone_at ? { user_id: record.undone_by, name: record.undone_by_name ?? 'System' } : null,
    kept_count: record.kept?.count ?? 0,
    allowed_actions: allowedActions(actor, record),
  };
}

/** Only the account that undid the import gets the reasons: other readers may not see those people. */
const keptRows = (actor: Actor, { kept }: ImportRecord): Import['kept_rows'] =>
  (kept?.rows ?? []).map(({ row, reason }) => ({ row, reason: kept?.for === actor.user_id ? reason : null }));

/** A single import, with its columns. */
export function presentImport(kind: ImportKind, actor: Actor, record: ImportRecord): Import {
  const hidden = kind.hiddenFrom(actor, record);
  // a sample may come from a hidden row
  const hasHiddenRows = kind.hiddenRows?.(actor, record) !== undefined;
  const hides = (column: Column) => hasHiddenRows || hidden.has(column.field ?? '');
  return {
    ...presentRow(kind, actor, record),
    kept_rows: keptRows(actor, record),
    columns: record.columns.map((column) => ({
      ...pick(column, ['header', 'field', 'source']),
      sample: hides(column) ? null : column.sample,
    })),
  };
}

/** A row as stored. */
export type StoredRow = Omit<StagedRow, 'cells'> & { cells: string[] | null };

const hiddenProblem = text('imports.hidden_problem');

/** The messages about a row's fields; a hidden field only shows that it has one, because messages may name values. */
export const withoutHidden = (hidden: ReadonlySet<string>) => (found: Record<string, Text[]>) =>
  hidden.size === 0
    ? found
    : Object.fromEntries(
        Object.entries(found).map(([field, messages]) =>
          hidden.has(field) && messages.some(({ key }) => key !== 'validation.not_permitted')
            ? [field, [hiddenProblem]]
            : [field, messages],
        ),
      );

/** Rows with their cells by field, leaving out fields that are hidden from the actor. */
export function presentStaged(kind: ImportKind, actor: Actor, record: ImportRecord): (row: StoredRow) => StagedRow {
  const fields = record.columns.flatMap((column, index) => {
    const field = fieldOf(column);
    return field ? [{ field, index }] : [];
  });
  const hidden = kind.hiddenFrom(actor, record);
  const messagesOf = withoutHidden(hidden);
  const shown = <T>(all: Record<string, T>): Record<string, T> =>
    hidden.size === 0 ? all : Object.fromEntries(Object.entries(all).filter(([field]) => !hidden.has(field)));
  return (stored) => ({
    ...pick(stored, ['row', 'status', 'action', 'key', 'subject_id', 'edited', 'left_out']),
    errors: messagesOf(stored.errors),
    warnings: messagesOf(stored.warnings),
    cells:
      stored.cells && shown(Object.fromEntries(fields.map(({ field, index }) => [field, stored.cells?.[index] ?? '']))),
    changes: stored.changes && shown(stored.changes),
  });
}

/** The outcome of an import as a sentence. */
export function summaryText(record: ImportRecord): Text {
  const { status, counts } = record;
  const { total, failed, created, updated, skipped } = counts;
  switch (status) {
    case 'processing':
      return text('imports.started');
    case 'needs_mapping':
      return text('imports.needs_mapping');
    case 'preview':
      return failed === 0
        ? text('imports.checked', { valid: total })
        : text('imports.checked_with_errors', { valid: total - failed, failed });
    case 'completed':
      return text('imports.completed', { created, updated, skipped, failed });
    case 'partly_undone':
      return text('imports.partly_undone', { count: record.kept?.count ?? 0 });
    case 'failed':
      return text('imports.failed');
    case 'undone':
      return text('imports.undone');
    default:
      return text('imports.expired');
  }
}

/** The answer to a change of the import in a path. */
export async function answerFor(kind: ImportKind, ctx: ReadCtx & { params: { id: number } }) {
  const record = await findImport(kind, ctx);
  return done(presentImport(kind, ctx.actor, record), summaryText(record));
}
