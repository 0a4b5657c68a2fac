export type SheetFormat = 'csv' | 'xlsx';

export interface SheetLimits {
  /** Rows below the header that hold anything. */
  rows: number;
  columns: number;
  /** UTF-16 code units in one cell; a spreadsheet program allows 32,767. */
  cell_characters: number;
  /** All parts of a workbook together, inflated. */
  unpacked_bytes: number;
  /** Time the reader may work; waiting for the consumer of its rows is not counted. */
  working_milliseconds: number;
}

export const SHEET_LIMITS: Readonly<SheetLimits> = {
  rows: 200_000,
  columns: 200,
  cell_characters: 32_767,
  unpacked_bytes: 256 * 1024 * 1024,
  working_milliseconds: 60_000,
};

export interface SheetHeader {
  /** The row of the headings, counted as `SheetRow.row`. */
  row: number;
  header: string[];
  /** Headings that were left out together with their cells: names that JavaScript objects treat specially. */
  dropped: string[];
}

export interface SheetRow {
  /** CSV: physical line on which the row starts, the first line being 1. XLSX: the row's number in the sheet. */
  row: number;
  /** One text per heading, in the order of the header; a cell the file does not have is ''. */
  cells: string[];
  /** Positions in `cells` that hold a formula; the cell shows the value the file stored with it. */
  formulas: number[];
  /** How many filled cells stand to the right of the last heading and were left out. */
  surplus: number;
}

/** A row as its format gives it, before the header is known. */
export type RawRow = SheetRow;
