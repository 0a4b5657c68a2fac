import type { Text } from '@tenure/contract/texts';
export type SheetRefusal =
  | 'not_utf8'
  | 'empty'
  | 'no_rows'
  | 'header_missing'
  | 'header_twice'
  | 'too_many_columns'
  | 'too_many_rows'
  | 'cell_too_long'
  | 'malformed'
  | 'not_a_workbook'
  | 'encrypted'
  | 'macros'
  | 'unsafe'
  | 'too_large'
  | 'timeout';

/** A file that will not be read, and the message for the person who sent it. */
export class SheetRefused extends Error {
  readonly code: SheetRefusal;
  readonly reason: Text;

  constructor(code: SheetRefusal, reason: Text) {
    super(reason.key);
    this.name = 'SheetRefused';
    this.code = code;
    this.reason = reason;
  }
}
