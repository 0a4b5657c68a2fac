import { text } from '@tenure/contract/texts';
import { SheetRefused } from './refusal.ts';
import type { RawRow, SheetLimits } from './sheet.ts';
import { openArchive } from './xlsx-archive.ts';
import { readSharedStrings, type StringTable } from './xlsx-strings.ts';
import { columnOf, dateText, decodeText, LONGEST_ESCAPE, numberText } from './xlsx-values.ts';
import { readWorkbook, type Workbook } from './xlsx-workbook.ts';
import { createXmlReader, type XmlHandlers } from './xlsx-xml.ts';

/** The rows of the first visible worksheet. Formulas are never evaluated, only reported. */
export async function* readXlsx(path: string, limits: SheetLimits): AsyncGenerator<RawRow, void> {
  await using archive = await openArchive(path, limits);
  const workbook = await readWorkbook(archive);
  const strings = await readSharedStrings(archive, limits);
  let rows: RawRow[] = [];
  const reader = createXmlReader(sheetHandlers(workbook, strings, limits, (row) => rows.push(row)));
  let filled = 0;
  for await (const chunk of archive.part(workbook.sheet.part)) {
    reader.write(chunk);
    if (filled < 2) filled += rows.filter(({ cells }) => cells.some((cell) => cell.trim() !== '')).length;
    yield* rows;
    rows = [];
  }
  reader.end();
  if (filled < 2 && workbook.has_others)
    throw new SheetRefused('no_rows', text('files.no_rows_in_sheet', { sheet: workbook.sheet.name }));
}

interface Cell {
  column: number;
  type: string;
  style: number;
  formula: boolean;
  text: string;
}

/** The parser's current position in the sheet. */
interface Cursor {
  in_data: boolean;
  row: RawRow | undefined;
  cell: Cell | undefined;
  last_row: number;
  last_column: number;
  in_text: boolean;
  in_phonetic: boolean;
}

function sheetHandlers(
  workbook: Workbook,
  strings: StringTable,
  limits: SheetLimits,
  emit: (row: RawRow) => void,
): XmlHandlers {
  const cursor: Cursor = {
    in_data: false,
    row: undefined,
    cell: undefined,
    last_row: 0,
    last_column: -1,
    in_text: false,
    in_phonetic: false,
  };
  return {
    open: (name, attributes) => openTag(cursor, name, attributes),
    text: (piece) => addText(cursor, piece, limits),
    close: (name) => {
      const { row, cell } = cursor;
      if (name === 'c' && row && cell) placeCell(row, cell, cellText(cell, workbook, strings), limits);
      if (name === 'row' && row) emit(row);
      closeTag(cursor, name);
    },
  };
}

function openTag(cursor: Cursor, name: string, attributes: Readonly<Record<string, string>>): void {
  if (name === 'sheetData') cursor.in_data = true;
  if (!cursor.in_data) return;
  if (name === 'row') {
    cursor.last_row = rowNumber(attributes['r'], cursor.last_row);
    cursor.last_column = -1;
    cursor.row = { row: cursor.last_row, cells: [], formulas: [], surplus: 0 };
  } else if (name === 'c') {
    cursor.last_column = attributes['r'] === undefined ? cursor.last_column + 1 : columnOf(attributes['r']);
    if (cursor.last_column < 0) throw new SheetRefused('malformed', text('files.cell_without_place'));
    cursor.cell = startCell(cursor.last_column, attributes);
  } else if (name === 'f' && cursor.cell) cursor.cell.formula = true;
  else if (name === 'rPh') cursor.in_phonetic = true;
  else if (name === 'v' || name === 't') cursor.in_text = !cursor.in_phonetic;
}

function addText({ cell, in_text, last_row }: Cursor, piece: string, limits: SheetLimits): void {
  if (!in_text || !cell) return;
  cell.text += piece;
  if (cell.text.length > limits.cell_characters * LONGEST_ESCAPE) {
    throw new SheetRefused('cell_too_long', text('files.cell_with_too_much_text', { row: last_row }));
  }
}

function closeTag(cursor: Cursor, name: string): void {
  if (name === 'v' || name === 't') cursor.in_text = false;
  else if (name === 'rPh') cursor.in_phonetic = false;
  else if (name === 'c') cursor.cell = undefined;
  else if (name === 'row') cursor.row = undefined;
  else if (name === 'sheetData') cursor.in_data = false;
}

function startCell(column: number, attributes: Readonly<Record<string, string>>): Cell {
  return { column, type: attributes['t'] ?? 'n', style: Number(attributes['s'] ?? -1), formula: false, text: '' };
}

function rowNumber(stated: string | undefined, last: number): number {
  const number = stated === undefined ? last + 1 : Number(stated);
  if (Number.isInteger(number) && number > last) return number;
  throw new SheetRefused('malformed', text('files.rows_out_of_order', { row: last }));
}

function placeCell(row: RawRow, cell: Cell, text: string, limits: SheetLimits): void {
  if (cell.column >= limits.columns) {
    if (text.trim() !== '' || cell.formula) row.surplus++;
    return;
  }
  while (row.cells.length < cell.column) row.cells.push('');
  row.cells[cell.column] = text;
  if (cell.formula) row.formulas.push(cell.column);
}

function cellText(cell: Cell, workbook: Workbook, strings: StringTable): string {
  switch (cell.type) {
    case 's': {
      if (cell.text === '') return '';
      const shared = strings.get(Number(cell.text));
      if (shared === undefined) throw new SheetRefused('malformed', text('files.text_missing'));
      return shared;
    }
    case 'inlineStr':
    case 'str':
      return decodeText(cell.text);
    case 'b':
      return cell.text.trim() === '1' ? 'true' : 'false';
    case 'd':
      return cell.text.trim().replace(/T00:00(:00(\.0+)?)?Z?$/, '');
    case 'n':
      return numericText(cell, workbook);
    default:
      return cell.text;
  }
}

function numericText(cell: Cell, workbook: Workbook): string {
  if (cell.text === '') return '';
  const date = workbook.date_styles[cell.style] ? dateText(Number(cell.text), workbook.date1904) : undefined;
  if (date !== undefined) return date;
  const number = numberText(cell.text);
  const zeros = workbook.zero_styles[cell.style] ?? 0;
  return /^\d+$/.test(number) ? number.padStart(zeros, '0') : number;
}
