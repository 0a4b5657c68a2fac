import { employeeRows, importWords } from '@tenure/contract';
import type { ImportField } from '@tenure/contract';
import { readChoice } from '../../imports/cells.ts';
import type { ImportKind } from '../../imports/kind.ts';

const choiceFields = {
  employment_type: employeeRows.employment_type,
  employment_lifecycle: employeeRows.employment_lifecycle,
};
const choicesOf = (field: string): readonly string[] | undefined =>
  Object.hasOwn(choiceFields, field) ? choiceFields[field as keyof typeof choiceFields].values : undefined;
const namesRecords: ReadonlySet<string> = new Set(['entity_id', 'entity', 'department_id', 'department']);

/** The fields for which users can match texts with values. */
export const choices: NonNullable<ImportKind['choices']> = {
  isMatched: (field) => namesRecords.has(field) || choicesOf(field) !== undefined,
  of: choicesOf,
  read: (field, text) => readChoice(field, choicesOf(field) ?? [], text),
  otherWords: (field, choice) => importWords[field as ImportField]?.[choice] ?? [],
};
