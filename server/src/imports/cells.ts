import { choiceCalled } from '../languages/languages.ts';
import { CLEAR_CELL, unescapeCell } from '../spreadsheets/escape.ts';

/** The value of a cell: absent keeps the field, null clears it. */
export type Meaning = string | null | undefined;

/** Reads a cell: blank keeps the field, a single dash clears it. */
export function meaningOf(cell: string | undefined): Meaning {
  const text = cell?.trim() ?? '';
  if (text === '') return undefined;
  return text === CLEAR_CELL ? null : unescapeCell(text);
}

/** Reads a choice in any case, with spaces or hyphens for `_`, or by its label; other text gets a choice's form. */
export function readChoice(field: string, choices: readonly string[], text: string): string {
  const plain = text.toLowerCase().replaceAll(/[\s-]+/g, '_');
  return choices.includes(plain) ? plain : (choiceCalled(field, text) ?? plain);
}
