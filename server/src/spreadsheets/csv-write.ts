import { Readable } from 'node:stream';
import { stringify } from 'csv-stringify/sync';
import { escapeCsvCell } from './escape.ts';
import { CHUNK_CHARACTERS, type CellValue, type RowSource, type SheetColumn } from './sheet-write.ts';

const BYTE_ORDER_MARK = '\uFEFF';
const CELLS_PER_CHUNK = CHUNK_CHARACTERS / 16;

interface CsvOptions {
  /** How a text becomes a cell: as a value by default; with `toCsvCell`, as the import text of a failed row. */
  escape?: (text: string) => string;
}

/**
 * A CSV file as a stream of UTF-8 with a byte order mark, every cell quoted, and lines ended by CR LF. Texts are
 * escaped against formulas, numbers are not. Rows are only read as fast as the stream is consumed; destroying the
 * stream ends them.
 */
export function writeCsv(columns: readonly SheetColumn[], rows: RowSource, options: CsvOptions = {}): Readable {
  return Readable.from(csvChunks(columns, rows, options.escape ?? escapeCsvCell), { objectMode: false });
}

async function* csvChunks(
  columns: readonly SheetColumn[],
  rows: RowSource,
  escape: (text: string) => string,
): AsyncGenerator<Buffer, void> {
  // sent before the first row is read, so that a download starts immediately
  yield Buffer.from(BYTE_ORDER_MARK + formatRows([columns.map((column) => column.header)], escape));
  const rows_per_chunk = Math.max(1, Math.ceil(CELLS_PER_CHUNK / columns.length));
  let batch: (readonly CellValue[])[] = [];
  for await (const row of rows) {
    if (batch.push(row) < rows_per_chunk) continue;
    yield Buffer.from(formatRows(batch, escape));
    batch = [];
  }
  if (batch.length > 0) yield Buffer.from(formatRows(batch, escape));
}

function formatRows(rows: (readonly CellValue[])[], escape: (text: string) => string): string {
  return stringify(rows, {
    quoted: true,
    quoted_empty: true,
    record_delimiter: '\r\n',
    cast: { string: escape, boolean: String },
  });
}
