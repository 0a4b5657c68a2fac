import { isText, messages } from '@tenure/contract';
import type { Text } from '@tenure/contract';
import { record } from '../audit.ts';
import type { LanguageId } from '../languages/catalogue.ts';
import { render } from '../languages/languages.ts';
import { writeCsv } from '../spreadsheets/csv-write.ts';
import type { CellValue, SheetColumn } from '../spreadsheets/sheet-write.ts';
import { writeXlsx } from '../spreadsheets/xlsx-write.ts';
import { FileReply } from './context.ts';
import type { WriteCtx } from './context.ts';
import { invalid } from './errors.ts';

/** One column of an export; the query selects it by its header. */
export type ExportColumn<Row> = SheetColumn & {
  value: (row: Row) => CellValue;
  /** The heading for people. */
  heading?: Text;
  /** The value for people, if it differs. */
  read?: (row: Row) => CellValue | Text;
};

type Rows<Row> = Iterable<Row> | AsyncIterable<Row>;
type ExportQuery = { format?: 'csv' | 'xlsx' | null | undefined; columns?: string | null | undefined } & {
  headings?: 'keys' | 'words' | null | undefined;
};

const mimeTypes = {
  csv: 'text/csv; charset=utf-8',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
} as const;

function chosen<Row>(columns: readonly ExportColumn<Row>[], wanted: string | null | undefined) {
  if (!wanted) return columns;
  const names = wanted.split(',').map((name) => name.trim());
  if (names.some((name) => !columns.some(({ header }) => header === name))) throw invalid('columns', messages.selected);
  return columns.filter(({ header }) => names.includes(header));
}

/** A column in words of a language. */
const inWords =
  (language: LanguageId) =>
  <Row>({ heading, read, ...column }: ExportColumn<Row>): ExportColumn<Row> => ({
    ...column,
    header: heading ? render(language, heading) : column.header,
    value: (row) => {
      const cell = read ? read(row) : column.value(row);
      return isText(cell) ? render(language, cell) : cell;
    },
  });

async function* cells<Row>(columns: readonly ExportColumn<Row>[], rows: Rows<Row>) {
  for await (const row of rows) yield columns.map(({ value }) => value(row));
}

const filtersAsChanges = (query: ExportQuery) =>
  Object.fromEntries(
    Object.entries(query)
      .filter(([, value]) => value !== undefined && value !== null)
      .map(([name, value]) => [name, { from: null, to: value }]),
  );

/** `employees-20260418-1420.csv` */
function fileName(name: string, format: string): string {
  const now = Temporal.Now.instant().toString();
  return `${name}-${now.slice(0, 10).replaceAll('-', '')}-${now.slice(11, 16).replace(':', '')}.${format}`;
}

/**
 * A list as a CSV or XLSX file, streamed while its rows are read. Who exported which rows with which filters is
 * recorded before the first byte is sent.
 */
export async function exportFile<Row>(
  ctx: WriteCtx & { query: ExportQuery },
  sheet: { name: string; columns: readonly ExportColumn<Row>[]; rows: Rows<Row>; count: number },
): Promise<FileReply> {
  const asked = chosen(sheet.columns, ctx.query.columns);
  const columns = ctx.query.headings === 'words' ? asked.map(inWords(ctx.request.language)) : asked;
  const format = ctx.query.format ?? 'csv';
  await record(ctx, {
    action: 'export.created',
    subject_label: sheet.name,
    changes: { rows: { from: null, to: sheet.count }, ...filtersAsChanges(ctx.query) },
  });
  const write = format === 'csv' ? writeCsv : writeXlsx;
  const stream = write(columns, cells(columns, sheet.rows));
  return new FileReply({ stream, mime_type: mimeTypes[format], name: fileName(sheet.name, format) });
}
