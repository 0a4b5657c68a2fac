import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { pipeline } from 'node:stream';
import { CsvError, parse } from 'csv-parse';
import { fromCsvCell } from './escape.ts';
import { SheetRefused } from './refusal.ts';
import type { RawRow, SheetLimits } from './sheet.ts';

const CHUNK_BYTES = 64 * 1024;
// A quote that is never closed makes one record of the rest of the file: it must not be collected in memory.
const RECORD_BYTES = 1024 * 1024;
const LINE_BREAK = /\r\n|\n|\r/g;

const PROBLEMS: Partial<Record<string, string>> = {
  CSV_MAX_RECORD_SIZE: 'is too long; perhaps a quote is not closed',
  CSV_QUOTE_NOT_CLOSED: 'opens a quote that is never closed',
};

interface ParsedRecord {
  record: string[];
  info: { lines: number };
}

/** The rows of a CSV file in UTF-8, comma, semicolon or TAB separated, with the physical line each one starts on. */
export async function* readCsv(path: string, limits: SheetLimits): AsyncGenerator<RawRow, void> {
  const parser = parse({
    bom: true,
    delimiter: await findDelimiter(path),
    record_delimiter: ['\r\n', '\n', '\r'],
    relax_column_count: true,
    skip_empty_lines: true,
    info: true,
    max_record_size: RECORD_BYTES,
  });
  // Errors reach the loop below through the parser, which the pipeline destroys with them.
  pipeline(createReadStream(path, { highWaterMark: CHUNK_BYTES }), checkText, parser, () => {});
  // The parser counts a record as one line, whatever line breaks its cells hold.
  let lines_in_cells = 0;
  try {
    for await (const { record, info } of parser as AsyncIterable<ParsedRecord>) {
      const row = info.lines + lines_in_cells;
      lines_in_cells += countLineBreaks(record);
      yield toRow(row, record, limits);
    }
  } catch (error) {
    throw error instanceof CsvError ? refusalOf(error, lines_in_cells) : error;
  }
}

function toRow(row: number, record: string[], limits: SheetLimits): RawRow {
  const surplus = record.slice(limits.columns).filter((cell) => cell.trim() !== '').length;
  return { row, cells: record.slice(0, limits.columns).map(fromCsvCell), formulas: [], surplus };
}

/** Passes bytes on only while they are UTF-8 text: guessing another encoding would spoil names silently. */
async function* checkText(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer, void> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  try {
    for await (const chunk of chunks) {
      decoder.decode(chunk, { stream: true });
      if (chunk.includes(0)) throw new SheetRefused('not_utf8', 'The file is not a text file.');
      yield chunk;
    }
    decoder.decode();
  } catch (error) {
    if (error instanceof TypeError) {
      throw new SheetRefused('not_utf8', 'The file is not encoded in UTF-8. Save it as "CSV UTF-8" and try again.');
    }
    throw error;
  }
}

async function findDelimiter(path: string): Promise<string> {
  await using file = await open(path);
  const { bytesRead, buffer } = await file.read(Buffer.alloc(CHUNK_BYTES), 0, CHUNK_BYTES, 0);
  return detectDelimiter(buffer.toString('utf8', 0, bytesRead));
}

/** The most frequent of comma, semicolon and TAB outside quotes in the first line that is not empty. */
export function detectDelimiter(text: string): string {
  const counts = new Map([
    [',', 0],
    [';', 0],
    ['\t', 0],
  ]);
  let quoted = false;
  for (const character of text.replace(/^\uFEFF?[\r\n]*/, '')) {
    if (character === '"') quoted = !quoted;
    else if (quoted) continue;
    else if (character === '\n' || character === '\r') break;
    else if (counts.has(character)) counts.set(character, counts.get(character)! + 1);
  }
  return [...counts].reduce((best, next) => (next[1] > best[1] ? next : best))[0];
}

function countLineBreaks(record: readonly string[]): number {
  let count = 0;
  for (const cell of record) {
    if (cell.includes('\n') || cell.includes('\r')) count += cell.match(LINE_BREAK)!.length;
  }
  return count;
}

function refusalOf(error: CsvError, lines_in_cells: number): SheetRefused {
  const line = Number((error as { lines?: unknown }).lines ?? 1) + lines_in_cells;
  const what = PROBLEMS[error.code] ?? 'has a quote in the wrong place';
  return new SheetRefused('malformed', `The row in line ${line} ${what}.`);
}
