import { addAbortSignal, Readable, type PassThrough } from 'node:stream';
import { finished } from 'node:stream/promises';
import { ZipFile } from 'yazl';
import { escapeDash } from './escape.ts';
import { CHUNK_CHARACTERS, type CellValue, type RowSource, type SheetColumn } from './sheet-write.ts';
import {
  contentTypes,
  HEADER_STYLE,
  ROOT_RELATIONS,
  sheetEnd,
  sheetStart,
  STYLES,
  workbook,
  workbookRelations,
} from './xlsx-parts.ts';
import { columnLetters, encodeText } from './xlsx-values.ts';

const ROWS_PER_SHEET = 1_048_576;
const CELL_CHARACTERS = 32_767;
const MARKUP = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '\r': '&#13;' } as const;

interface XlsxOptions {
  /** At most 25 letters, digits and spaces. */
  sheet_name?: string;
  /** Including the header; further rows continue on another sheet. */
  rows_per_sheet?: number;
}

/**
 * An XLSX workbook as a stream whose memory use does not grow with the rows. Texts are typed as texts, whatever they
 * start with; numbers and booleans keep their type. A text too long for a cell ends in an ellipsis. Rows are only read
 * as fast as the stream is consumed; destroying the stream ends them.
 */
export function writeXlsx(columns: readonly SheetColumn[], rows: RowSource, options: XlsxOptions = {}): Readable {
  const zip = new ZipFile();
  const output = zip.outputStream as PassThrough;
  const closed = new AbortController();
  output.once('close', () => closed.abort());
  addParts(zip, columns, rows, options, closed.signal).catch((error: Error) => output.destroy(error));
  return output;
}

async function addParts(
  zip: ZipFile,
  columns: readonly SheetColumn[],
  rows: RowSource,
  { sheet_name = 'Sheet1', rows_per_sheet = ROWS_PER_SHEET }: XlsxOptions,
  closed: AbortSignal,
): Promise<void> {
  const cursor = openCursor(rows);
  let sheets = 0;
  try {
    do {
      const sheet = Readable.from(sheetChunks(columns, cursor, rows_per_sheet), { objectMode: false });
      addAbortSignal(closed, sheet);
      zip.addReadStream(sheet, `xl/worksheets/sheet${++sheets}.xml`);
      await finished(sheet);
    } while ((await cursor.peek()) !== undefined);
  } finally {
    await cursor.close();
  }
  zip.addBuffer(Buffer.from(contentTypes(sheets)), '[Content_Types].xml');
  zip.addBuffer(Buffer.from(ROOT_RELATIONS), '_rels/.rels');
  zip.addBuffer(Buffer.from(workbook(sheet_name, sheets)), 'xl/workbook.xml');
  zip.addBuffer(Buffer.from(workbookRelations(sheets)), 'xl/_rels/workbook.xml.rels');
  zip.addBuffer(Buffer.from(STYLES), 'xl/styles.xml');
  zip.end();
}

interface Cursor {
  peek: () => Promise<readonly CellValue[] | undefined>;
  advance: () => void;
  close: () => Promise<void>;
}

/** Rows that several sheets read in turn: unlike with a loop, a full sheet must not end them. */
function openCursor(rows: RowSource): Cursor {
  const iterator = Symbol.asyncIterator in rows ? rows[Symbol.asyncIterator]() : rows[Symbol.iterator]();
  let ahead: readonly CellValue[] | undefined;
  let ended = false;
  return {
    peek: async () => {
      if (ahead !== undefined || ended) return ahead;
      const { done, value } = await iterator.next();
      ended = done === true;
      ahead = ended ? undefined : (value as readonly CellValue[]);
      return ahead;
    },
    advance: () => {
      ahead = undefined;
    },
    close: async () => {
      if (!ended) await iterator.return?.();
    },
  };
}

async function* sheetChunks(
  columns: readonly SheetColumn[],
  cursor: Cursor,
  rows_per_sheet: number,
): AsyncGenerator<Buffer, void> {
  const letters = columns.map((_, index) => columnLetters(index));
  const headings = columns.map((column) => column.header);
  let number = 1;
  // sent before the first row is read, so that a download starts immediately
  yield Buffer.from(sheetStart(columns) + rowXml(headings, number, letters, HEADER_STYLE));
  let xml = '';
  for (; number < rows_per_sheet; cursor.advance()) {
    const row = await cursor.peek();
    if (row === undefined) break;
    xml += rowXml(row, ++number, letters);
    if (xml.length < CHUNK_CHARACTERS) continue;
    yield Buffer.from(xml);
    xml = '';
  }
  yield Buffer.from(xml + sheetEnd(columns.length, number));
}

function rowXml(row: readonly CellValue[], number: number, letters: readonly string[], style = 0): string {
  let xml = `<row r="${number}">`;
  for (const [index, column] of letters.entries()) xml += cellXml(row[index], `${column}${number}`, style);
  return `${xml}</row>`;
}

function cellXml(value: CellValue, reference: string, style: number): string {
  const start = style === 0 ? `<c r="${reference}"` : `<c r="${reference}" s="${style}"`;
  if (typeof value === 'number') return Number.isFinite(value) ? `${start}><v>${value}</v></c>` : '';
  if (typeof value === 'boolean') return `${start} t="b"><v>${value ? 1 : 0}</v></c>`;
  if (value === null || value === undefined || value === '') return '';
  return `${start} t="inlineStr"><is><t xml:space="preserve">${textXml(String(value))}</t></is></c>`;
}

function textXml(value: string): string {
  const text = escapeDash(value);
  const fitting = text.length > CELL_CHARACTERS ? `${text.slice(0, CELL_CHARACTERS - 1)}…` : text;
  return encodeText(fitting).replace(/[&<>\r]/g, (character) => MARKUP[character as keyof typeof MARKUP]);
}
