import { CLEAR_CELL, unescapeCell } from '../spreadsheets/escape.ts';

/** The value of a cell: absent keeps the field, null clears it. */
export type Meaning = string | null | undefined;

/** Reads a cell: blank keeps the field, a single dash clears it. */
export function meaningOf(cell: string | undefined): Meaning {
  const text = cell?.trim() ?? '';
  if (text === '') return undefined;
  return text === CLEAR_CELL ? null : unescapeCell(text);
}
