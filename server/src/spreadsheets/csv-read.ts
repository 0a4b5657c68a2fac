import { text } from '@tenure/contract/texts';
import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { pipeline } from 'node:stream';
import { CsvError, parse } from 'csv-parse';
import { fromCsvCell } from './escape.ts';
import { SheetRefused } from './refusal.ts';
import type { RawRow, SheetLimits } from './sheet.ts';

const CHUNK_BYTES = 64 * 1024;
// A quote that is never closed turns the rest of the file into one record, which must not be collected in memory.
const RECORD_BYTES = 1024 * 1024;
// A title above the header has no or few delimiters.
const TITLE_LINES = 20;
const LINE_BREAK = /\r\n|\n|\r/g;

/** The rows of a CSV file in UTF-8, comma, semicolon or TAB separated, with the physical line each one starts on. */
export async function* readCsv(path: string, limits: SheetLimits): AsyncGenerator<RawRow, void> {
  // The parser counts a CR LF inside a cell as two lines.
  let miscounted = 0;
  let last_line = 0;
  const parser = parse({
    bom: true,
    delimiter: await findDelimiter(path),
    record_delimiter: ['\r\n', '\n', '\r'],
    // A quote inside a cell that does not begin with one is text: 40° 44' 26.5" N.
    relax_quotes: true,
    relax_column_count: true,
    skip_empty_lines: true,
    max_record_size: RECORD_BYTES,
    // The line number precedes each record, because the parser runs ahead of the loop below.
    on_record: (record, { lines }) => {
      miscounted += countMatches(record, /\r\n/g);
      last_line = lines - miscounted;
      return [String(last_line - countMatches(record, LINE_BREAK)), ...record];
    },
  });
  // Errors reach the loop below through the parser, which the pipeline destroys with them.
  pipeline(createReadStream(path, { highWaterMark: CHUNK_BYTES }), checkText, parser, () => {});
  try {
    for await (const [line, ...cells] of parser as AsyncIterable<string[]>) yield toRow(Number(line), cells, limits);
  } catch (error) {
    throw error instanceof CsvError ? refusalOf(error, last_line + 1, miscounted) : error;
  }
}

function toRow(row: number, record: string[], limits: SheetLimits): RawRow {
  const surplus = record.slice(limits.columns).filter((cell) => cell.trim() !== '').length;
  return { row, cells: record.slice(0, limits.columns).map(fromCsvCell), formulas: [], surplus };
}

/** Passes bytes on as long as they are UTF-8 text: guessing another encoding would silently corrupt names. */
async function* checkText(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer, void> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  try {
    for await (const chunk of chunks) {
      decoder.decode(chunk, { stream: true });
      if (chunk.includes(0)) throw new SheetRefused('not_utf8', text('files.not_text'));
      yield chunk;
    }
    decoder.decode();
  } catch (error) {
    if (error instanceof TypeError) {
      throw new SheetRefused('not_utf8', text('files.not_utf8'));
    }
    throw error;
  }
}

async function findDelimiter(path: string): Promise<string> {
  await using file = await open(path);
  const { bytesRead, buffer } = await file.read(Buffer.alloc(CHUNK_BYTES), 0, CHUNK_BYTES, 0);
  return detectDelimiter(buffer.toString('utf8', 0, bytesRead));
}

const noneYet = () => ({ ',': 0, ';': 0, '\t': 0 });
type Delimiter = keyof ReturnType<typeof noneYet>;

/** The counts of commas, semicolons and TABs outside quotes in each of the first lines that are not empty. */
function delimitersOf(text: string): Record<Delimiter, number>[] {
  const [bare = '', unclosed] = text
    .replace(/^\uFEFF/, '')
    .replaceAll(/"[^"]*"/g, 'quoted')
    .split('"');
  const lines = bare.split(/[\r\n]/);
  // the last line ends inside quotes
  if (unclosed !== undefined) lines.pop();
  return lines
    .filter((line) => line !== '')
    .slice(0, TITLE_LINES)
    .map((line) => {
      const counts = noneYet();
      for (const character of line) if (character in counts) counts[character as Delimiter] += 1;
      return counts;
    });
}

const mostOf = (counts: Record<Delimiter, number>) =>
  (Object.keys(counts) as Delimiter[]).reduce((best, next) => (counts[next] > counts[best] ? next : best));

/**
 * The most frequent of comma, semicolon and TAB in the header. The header is the first line; if lines with fewer
 * delimiters are above, it is the first of two lines with the same number of them, two or more.
 */
export function detectDelimiter(text: string): string {
  const lines = delimitersOf(text);
  const header = lines.find((counts, index) => {
    const most = mostOf(counts);
    return counts[most] >= 2 && (index === 0 || lines[index + 1]?.[most] === counts[most]);
  });
  return mostOf(header ?? lines[0] ?? noneYet());
}

function countMatches(cells: readonly string[], pattern: RegExp): number {
  return cells.reduce((count, cell) => count + (cell.match(pattern)?.length ?? 0), 0);
}

function refusalOf(error: CsvError, start: number, miscounted: number): SheetRefused {
  const fault = Number((error as { lines?: unknown }).lines) - miscounted;
  const reason = {
    CSV_MAX_RECORD_SIZE: text('files.row_too_long', { line: start }),
    CSV_QUOTE_NOT_CLOSED: text('files.quote_not_closed', { line: start }),
  }[error.code as string];
  return new SheetRefused('malformed', reason ?? text('files.line_not_csv', { line: fault }));
}
