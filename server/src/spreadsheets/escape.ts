/**
 * Three notations for one text:
 * - the value, as the database keeps it;
 * - the import text, which both formats are read into: a lone `-` clears a field, so the value `-` is written `'-`;
 * - the CSV cell, in which nothing may begin like a formula.
 *
 * Every text that already looks escaped gets one more apostrophe, so each pair of functions is an exact inverse.
 */
export const CLEAR_CELL = '-';

const FORMULA_START = /^'*[=+\-@\t\r]/;
const ESCAPED_FORMULA_START = /^'+[=+\-@\t\r]/;
const DASH = /^'*-$/;
const ESCAPED_DASH = /^'+-$/;

/** A value as a CSV cell that no spreadsheet program takes for a formula. */
export function escapeCsvCell(value: string): string {
  return FORMULA_START.test(value) ? `'${value}` : value;
}

/** A value as an import text: only a dash needs a mark, so that it does not clear the field. */
export function escapeDash(value: string): string {
  return DASH.test(value) ? `'${value}` : value;
}

/** The value of an import text. Check first whether the text is `CLEAR_CELL`. */
export function unescapeCell(text: string): string {
  return ESCAPED_DASH.test(text) ? text.slice(1) : text;
}

/** The import text of a CSV cell: removes our own formula mark, but keeps that of a dash. */
export function fromCsvCell(cell: string): string {
  return ESCAPED_FORMULA_START.test(cell) && !ESCAPED_DASH.test(cell) ? cell.slice(1) : cell;
}

/** An import text as a CSV cell that reads back as the same import text, for files of failed rows. */
export function toCsvCell(text: string): string {
  return DASH.test(text) ? text : escapeCsvCell(text);
}
