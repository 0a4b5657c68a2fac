import { sql } from 'kysely';
import { cut } from '@tenure/contract/cut';
import type { Db } from '../db/connect.ts';
import { hasInvalidCharacters } from '../http/validation.ts';
import type { Sheet } from '../spreadsheets/read.ts';
import type { SheetRow } from '../spreadsheets/sheet.ts';
import type { Column } from './columns.ts';
import type { Flaws } from './record.ts';

/** Replaces text that jsonb cannot store with the replacement character. */
export const storable = (text: string) =>
  hasInvalidCharacters(text) ? text.toWellFormed().replaceAll('\u0000', '\uFFFD') : text;

/** The beginning of a cell, as the sample of its column. */
export const sampleOf = (text: string): string => cut(text, 255);

function flawsOf({ formulas, surplus }: SheetRow): Flaws | null {
  if (formulas.length === 0 && surplus === 0) return null;
  return { ...(formulas.length > 0 && { formulas }), ...(surplus > 0 && { surplus }) };
}

/** Stores for each column the first value and its row. */
function takeSamples(columns: Column[], rows: readonly SheetRow[]) {
  for (const [index, column] of columns.entries()) {
    if (column.row !== null) continue;
    const first = rows.find(({ cells }) => (cells[index] ?? '').trim() !== '');
    if (first) Object.assign(column, { row: first.row, sample: sampleOf(storable(first.cells[index] ?? '')) });
  }
}

/**
 * Stores the rows of a sheet as they are read, and the samples of its columns. `onBatch` receives the number of rows so
 * far. Returns the number of rows.
 */
export async function stageRows(
  db: Db,
  importId: number,
  sheet: Sheet,
  columns: Column[],
  onBatch: (rows: number) => Promise<void>,
): Promise<number> {
  let total = 0;
  for await (const rows of sheet.batches) {
    takeSamples(columns, rows);
    const staged = rows.map((row) => ({ row: row.row, cells: row.cells.map(storable), flaws: flawsOf(row) }));
    await sql`
      insert into import_rows (import_id, "row", cells, flaws)
      select ${importId}, t."row", t.cells, t.flaws
      from jsonb_to_recordset(${JSON.stringify(staged)}::jsonb) as t ("row" int, cells jsonb, flaws jsonb)`.execute(db);
    total += rows.length;
    await onBatch(total);
  }
  return total;
}
