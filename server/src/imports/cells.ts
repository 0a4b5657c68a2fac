import { CLEAR_CELL, unescapeCell } from '../spreadsheets/escape.ts';

/** A cell: absent says nothing, null empties the field. */
export type Meaning = string | null | undefined;

/** What a cell says: blank says nothing, a lone dash empties. */
export function meaningOf(cell: string | undefined): Meaning {
  const text = cell?.trim() ?? '';
  if (text === '') return undefined;
  return text === CLEAR_CELL ? null : unescapeCell(text);
}
