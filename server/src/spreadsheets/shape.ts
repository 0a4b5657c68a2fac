import { text } from '@tenure/contract/texts';
import { SheetRefused } from './refusal.ts';
import type { RawRow, SheetHeader, SheetLimits, SheetRow } from './sheet.ts';

const ROWS_PER_BATCH = 500;
const CHARACTERS_PER_BATCH = 1_000_000;
const SPECIAL_HEADINGS = new Set(['__proto__', 'constructor', 'prototype']);

/** The most characters of a heading, because each one is compared with the names of all fields. */
const MOST_OF_HEADING = 255;

/** How many filled rows may contain titles above the header. */
const TITLE_ROWS = 20;

/**
 * Takes a row as the header and yields it, then batches of matching rows: the row numbered `header_row`, else the first
 * filled row that is not a title.
 */
export async function* shapeRows(
  source: AsyncIterable<RawRow>,
  limits: SheetLimits,
  header_row?: number,
): AsyncGenerator<SheetHeader | SheetRow[], void> {
  let fit: ((raw: RawRow) => SheetRow) | undefined;
  let count = 0;
  let batch: SheetRow[] = [];
  let characters = 0;
  for await (const { raw, length } of withoutTitles(source, limits, header_row)) {
    if (fit === undefined) {
      const { row, header, dropped, kept, width } = readHeader(raw, limits);
      fit = (one) => fitRow(one, kept, width);
      yield { row, header, dropped };
      continue;
    }
    if (++count > limits.rows) {
      throw new SheetRefused('too_many_rows', text('files.too_many_rows', { most: limits.rows }));
    }
    batch.push(fit(raw));
    characters += length;
    if (batch.length >= ROWS_PER_BATCH || characters >= CHARACTERS_PER_BATCH) {
      yield batch;
      batch = [];
      characters = 0;
    }
  }
  if (fit === undefined) throw new SheetRefused('empty', text('files.empty'));
  if (count === 0) throw new SheetRefused('no_rows', text('files.no_rows'));
  if (batch.length > 0) yield batch;
}

type Measured = { raw: RawRow; length: number };

async function* filledRows(source: AsyncIterable<RawRow>, limits: SheetLimits): AsyncGenerator<Measured, void> {
  for await (const raw of source) {
    const length = measureRow(raw, limits);
    if (length > 0 || raw.surplus > 0 || raw.formulas.length > 0) yield { raw, length };
  }
}

const filled = ({ raw: { cells } }: Measured) => cells.filter((cell) => cell.trim() !== '').length;

/** True for a row of different texts side by side, as headings are. */
function isLikeHeader({ raw: { cells } }: Measured): boolean {
  const words = cells.map((cell) => cell.trim().toLowerCase());
  while (words.at(-1) === '') words.pop();
  return words.length >= 3 && new Set(words).size === words.length && words.every((word) => /^\p{L}/u.test(word));
}

/** A row with one or two filled cells is a title if a header-like row with at least twice as many is below it. */
const isTitle = (one: Measured, below: readonly Measured[]) =>
  filled(one) <= 2 && below.some((other) => filled(other) >= 2 * filled(one) && isLikeHeader(other));

/** The filled rows, starting with the header. */
async function* withoutTitles(
  source: AsyncIterable<RawRow>,
  limits: SheetLimits,
  header_row: number | undefined,
): AsyncGenerator<Measured, void> {
  const first: Measured[] = [];
  let isOpen = true;
  for await (const one of filledRows(source, limits)) {
    if (header_row !== undefined && one.raw.row < header_row) continue;
    if (header_row !== undefined || !isOpen) yield one;
    else {
      first.push(one);
      // a row with at least three cells ends the search, because it decides about those above
      isOpen = first.length <= TITLE_ROWS && filled(one) < 3;
      if (!isOpen) yield* first.slice(headerIn(first));
    }
  }
  if (isOpen) yield* first;
}

/** The position of the header among the first filled rows. */
const headerIn = (first: readonly Measured[]): number =>
  first.findIndex((one, index) => !isTitle(one, first.slice(index + 1)));

/** The characters in the filled cells; 0 for a blank row. */
function measureRow(raw: RawRow, limits: SheetLimits): number {
  let length = 0;
  for (const cell of raw.cells) {
    if (cell.length > limits.cell_characters) {
      throw new SheetRefused(
        'cell_too_long',
        text('files.cell_too_long', { row: raw.row, most: limits.cell_characters }),
      );
    }
    if (cell !== '' && cell.trim() !== '') length += cell.length;
  }
  return length;
}

function readHeader(raw: RawRow, limits: SheetLimits): SheetHeader & { kept: number[]; width: number } {
  const headings = raw.cells.map((cell) => cell.trim());
  while (headings.at(-1) === '') headings.pop();
  if (raw.surplus > 0) {
    throw new SheetRefused('too_many_columns', text('files.too_many_columns', { most: limits.columns }));
  }
  const seen = new Set<string>();
  const kept: number[] = [];
  for (const [index, heading] of headings.entries()) {
    if (heading === '') {
      throw new SheetRefused('header_missing', text('files.heading_missing', { column: index + 1 }));
    }
    if (heading.length > MOST_OF_HEADING) {
      throw new SheetRefused('cell_too_long', text('files.cell_too_long', { row: raw.row, most: MOST_OF_HEADING }));
    }
    const key = heading.toLowerCase();
    if (seen.has(key)) throw new SheetRefused('header_twice', text('files.heading_twice', { heading }));
    seen.add(key);
    if (!SPECIAL_HEADINGS.has(key)) kept.push(index);
  }
  return {
    row: raw.row,
    header: kept.map((index) => headings[index]!),
    dropped: headings.filter((_, index) => !kept.includes(index)),
    kept,
    width: headings.length,
  };
}

function fitRow(raw: RawRow, kept: readonly number[], width: number): SheetRow {
  const cells = kept.map((index) => raw.cells[index] ?? '');
  const right = raw.cells.slice(width).filter((cell) => cell.trim() !== '').length;
  const formulas = raw.formulas.map((index) => kept.indexOf(index)).filter((position) => position >= 0);
  return { row: raw.row, cells, formulas, surplus: raw.surplus + right };
}
