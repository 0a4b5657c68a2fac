import { SheetRefused } from './refusal.ts';
import type { RawRow, SheetLimits } from './sheet.ts';
import { openArchive } from './xlsx-archive.ts';
import { readSharedStrings, type StringTable } from './xlsx-strings.ts';
import { columnOf, dateText, decodeText, LONGEST_ESCAPE, numberText } from './xlsx-values.ts';
import { readWorkbook, type Workbook } from './xlsx-workbook.ts';
import { createXmlReader, type XmlHandlers } from './xlsx-xml.ts';

/** The rows of the first worksheet. Formulas are never evaluated, only pointed out. */
export async function* readXlsx(path: string, limits: SheetLimits): AsyncGenerator<RawRow, void> {
  await using archive = await openArchive(path, limits);
  const workbook = await readWorkbook(archive);
  const strings = await readSharedStrings(archive, limits);
  let rows: RawRow[] = [];
  const reader = createXmlReader(sheetHandlers(workbook, strings, limits, (row) => rows.push(row)));
  for await (const chunk of archive.part(workbook.sheet)) {
    reader.write(chunk);
    yield* rows;
    rows = [];
  }
  reader.end();
}

interface Cell {
  column: number;
  type: string;
  style: number;
  formula: boolean;
  text: string;
}

function sheetHandlers(
  workbook: Workbook,
  strings: StringTable,
  limits: SheetLimits,
  emit: (row: RawRow) => void,
): XmlHandlers {
  let in_data = false;
  let row: RawRow | undefined;
  let cell: Cell | undefined;
  let last_row = 0;
  let last_column = -1;
  let reading_text = false;
  let phonetic = false;

  function open(name: string, attributes: Readonly<Record<string, string>>): void {
    if (name === 'sheetData') in_data = true;
    if (!in_data) return;
    if (name === 'row') {
      last_row = rowNumber(attributes['r'], last_row);
      last_column = -1;
      row = { row: last_row, cells: [], formulas: [], surplus: 0 };
    } else if (name === 'c') {
      last_column = attributes['r'] === undefined ? last_column + 1 : columnOf(attributes['r']);
      if (last_column < 0) throw new SheetRefused('malformed', 'The workbook is damaged: a cell has no place.');
      cell = startCell(last_column, attributes);
    } else if (name === 'f' && cell) cell.formula = true;
    else if (name === 'rPh') phonetic = true;
    else if (name === 'v' || name === 't') reading_text = !phonetic;
  }

  function text(piece: string): void {
    if (!reading_text || !cell) return;
    cell.text += piece;
    if (cell.text.length > limits.cell_characters * LONGEST_ESCAPE) {
      throw new SheetRefused('cell_too_long', `Row ${last_row} has a cell with too much text.`);
    }
  }

  function close(name: string): void {
    if (name === 'v' || name === 't') reading_text = false;
    else if (name === 'rPh') phonetic = false;
    else if (name === 'c' && row && cell) {
      placeCell(row, cell, cellText(cell, workbook, strings), limits);
      cell = undefined;
    } else if (name === 'row' && row) {
      emit(row);
      row = undefined;
    } else if (name === 'sheetData') in_data = false;
  }

  return { open, text, close };
}

function startCell(column: number, attributes: Readonly<Record<string, string>>): Cell {
  return { column, type: attributes['t'] ?? 'n', style: Number(attributes['s'] ?? -1), formula: false, text: '' };
}

function rowNumber(stated: string | undefined, last: number): number {
  const number = stated === undefined ? last + 1 : Number(stated);
  if (Number.isInteger(number) && number > last) return number;
  throw new SheetRefused('malformed', `The workbook is damaged: its rows are out of order after row ${last}.`);
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
      if (shared === undefined) throw new SheetRefused('malformed', 'The workbook is damaged: a text is missing.');
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
  return date ?? numberText(cell.text);
}
