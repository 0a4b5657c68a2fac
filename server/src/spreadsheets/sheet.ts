export type SheetFormat = 'csv' | 'xlsx';

export interface SheetLimits {
  /** Rows below the header that contain anything. */
  rows: number;
  columns: number;
  /** UTF-16 code units in one cell; a spreadsheet program allows 32,767. */
  cell_characters: number;
  /** All parts of a workbook together, inflated. */
  unpacked_bytes: number;
  /** Time that the reader may work, excluding waiting for the consumer of its rows. */
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
  /** The row number of the headings, counted like `SheetRow.row`. */
  row: number;
  header: string[];
  /** Headings left out together with their cells: names that JavaScript objects treat specially. */
  dropped: string[];
}

export interface SheetRow {
  /** CSV: physical line on which the row starts, the first line being 1. XLSX: the row's number in the sheet. */
  row: number;
  /** One text per heading, in header order; a cell missing in the file is ''. */
  cells: string[];
  /** Positions in `cells` that contain a formula; the cell shows the value stored with it in the file. */
  formulas: number[];
  /** How many filled cells to the right of the last heading were left out. */
  surplus: number;
}

/** A row as the format provides it, before the header is known. */
export type RawRow = SheetRow;
