import { importWords } from '@tenure/contract';
import type { ImportField } from '@tenure/contract';
import type { ImportKind } from '../../imports/kind.ts';
import { choicesOf, readFixed } from './cells.ts';

const namesRecords: ReadonlySet<string> = new Set(['entity_id', 'entity', 'department_id', 'department', 'role']);

/** The fields of people for which users can match texts with values. */
export const choices: NonNullable<ImportKind['choices']> = {
  isMatched: (field) => namesRecords.has(field) || choicesOf(field) !== undefined,
  of: choicesOf,
  read: readFixed,
  otherWords: (field, choice) => importWords[field as ImportField]?.[choice] ?? [],
};
