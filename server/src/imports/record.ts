import type {
  conflictRules,
  dateFormats,
  ImportCounts,
  importModes,
  ImportRow,
  importStatuses,
  KeptReason,
  Text,
} from '@tenure/contract';
import { sql } from 'kysely';
import type { RawBuilder, Selectable } from 'kysely';
import { cut } from '@tenure/contract/cut';
import { allColumns } from '../db/all-columns.ts';
import type { Db } from '../db/connect.ts';
import type { Imports } from '../db/schema.ts';
import type { FieldErrors } from '../http/errors.ts';
import { ownReason } from '../languages/answer.ts';
import type { Column, Defaults, Mapping } from './columns.ts';

/** An import as stored. */
export type ImportRecord = Omit<Selectable<Imports>, keyof JsonColumns> & JsonColumns;

type JsonColumns = {
  type: ImportRow['type'];
  status: (typeof importStatuses)[number];
  phase: 'checking' | 'writing' | 'undoing' | null;
  format: 'csv' | 'xlsx' | 'zip';
  mode: (typeof importModes)[number];
  on_conflict: (typeof conflictRules)[number];
  date_format: (typeof dateFormats)[number];
  mapping: Mapping | null;
  defaults: Defaults;
  values: Values;
  columns: Column[];
  progress: { processed: number; total: number };
  counts: ImportCounts;
  stale_rows: number[] | null;
  kept: Kept | null;
  failure: Text | null;
};

/** What texts of columns mean, by heading. */
export type Values = Readonly<Record<string, Readonly<Record<string, string | null>>>>;

/** Rows kept by an undo: their count, the first of them, and the account that may read the reasons. */
export type Kept = { count: number; for: number; rows: { row: number; reason: KeptReason }[] };

type Named = Pick<ImportRecord, 'id' | 'file_name'>;

/** The reason of all audit log entries of an import. */
export const reasonOf = ({ id, file_name }: Named): string =>
  cut(ownReason('reasons.imported', { id, file: file_name }), 500);

/** The reason of all audit log entries of its undo. */
export const undoReasonOf = ({ id, file_name }: Named): string =>
  cut(ownReason('reasons.import_undone', { id, file: file_name }), 500);

/** What names a row in lists. */
export const keyOf = (text: string | null | undefined): string | null => cut(text ?? '', 255) || null;

/** Properties of a row besides its cells: formulas by position, surplus cells, whether the row is skipped. */
export type Flaws = {
  formulas?: number[];
  surplus?: number;
  left_out?: boolean;
  /** Cells before a replacement of their value in several rows, by position; `by` is the id of the replacement. */
  replaced?: Record<string, { by: number; text: string; edited: boolean; formula: boolean }>;
};

/** A row as read by the check. */
export type StagedCells = { row: number; cells: string[]; flaws: Flaws | null; digest: string };

/** The result of the check of a row. */
export type Outcome = {
  row: number;
  status: 'valid' | 'failed';
  action: 'create' | 'update' | 'skip' | 'none';
  key: string | null;
  subject_id: number | null;
  errors: FieldErrors;
  warnings: FieldErrors;
  changes: Record<string, { from: unknown; to: unknown }> | null;
  digest: string;
};

/** Imports up to this many rows run within the request. */
export const maxRowsInRequest = 1_000;

export async function readImport(db: Db, condition: RawBuilder<unknown>): Promise<ImportRecord | undefined> {
  const { rows } = await sql<ImportRecord>`
    select ${allColumns('imports', 'i')} from imports i where ${condition}`.execute(db);
  return rows[0];
}

/** Reads rows with their cells in file order, in batches; only those in `rows`, if given. */
export async function* cellsOf(
  db: Db,
  importId: number,
  { size, rows: wanted }: { size: number; rows?: readonly number[] | undefined },
): AsyncGenerator<StagedCells[], void> {
  for (let after = 0; ;) {
    const { rows } = await sql<StagedCells>`
      select r."row", coalesce(r.cells, '[]') as cells, r.flaws, r.digest from import_rows r
      where r.import_id = ${importId} and r."row" > ${after}
        ${wanted ? sql`and r."row" = any(${wanted}::int[])` : sql``}
      order by r."row" limit ${size}`.execute(db);
    if (rows.length > 0) yield rows;
    const last = rows.at(-1);
    if (!last || rows.length < size) return;
    after = last.row;
  }
}

/** Counts the outcomes of rows; for planned rows, created and updated are forecasts. */
export async function countRows(db: Db, importId: number, forecast: boolean): Promise<ImportCounts> {
  const done = (status: string, action: string) =>
    forecast
      ? sql`count(*) filter (where status = 'valid' and action = ${action})::int`
      : sql`count(*) filter (where status = ${status})::int`;
  const { rows } = await sql<ImportCounts>`
    select count(*)::int as total, count(*) filter (where status <> 'failed')::int as valid,
           ${done('created', 'create')} as created, ${done('updated', 'update')} as updated,
           ${done('skipped', 'skip')} as skipped,
           count(*) filter (where status = 'failed')::int as failed,
           count(*) filter (where warnings <> '{}')::int as warnings
    from import_rows where import_id = ${importId}`.execute(db);
  return rows[0] as ImportCounts;
}

/** The state of an import after an undo. */
export const undoneState = (kept: Kept) => ({
  status: kept.count > 0 ? ('partly_undone' as const) : ('undone' as const),
  undone_at: sql<string>`now()`,
  kept: JSON.stringify(kept),
});

/** How a file is read and what happens to its rows. */
export type Settings = Pick<
  ImportRecord,
  'mode' | 'on_conflict' | 'date_format' | 'mapping' | 'defaults' | 'values' | 'create_departments'
>;
