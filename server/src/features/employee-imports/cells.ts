import type * as z from 'zod';
import type { FieldRow, ImportField } from '@tenure/contract';
import {
  describeIssue,
  employeeInput,
  employeeRows,
  fieldsWithParts,
  importFields,
  messages,
  statusByDates,
  text as messageOf,
} from '@tenure/contract';
import { quoted } from '../../quoted.ts';
import { say } from '../../http/errors.ts';
import type { FieldErrors, Message } from '../../http/errors.ts';
import { hasInvalidCharacters, ofIssues } from '../../http/validation.ts';
import type { Field, Sent } from '../../people/fields.ts';
import { meaningOf, readChoice } from '../../imports/cells.ts';
import { isEndless, readDate } from '../../imports/dates.ts';
import type { DateFormat } from '../../imports/dates.ts';
import type { Meaning } from '../../imports/cells.ts';
import type { Defaults, Layout } from '../../imports/columns.ts';

export type Meanings = Partial<Record<ImportField, Meaning>>;

/** Reads the values of a row by field. */
export function readMeanings(cells: readonly string[], layout: Layout<ImportField>): Meanings {
  const meanings: Meanings = {};
  for (const [field, index] of layout) {
    const meaning = meaningOf(cells[index]);
    if (meaning !== undefined) meanings[field] = meaning;
  }
  return meanings;
}

/** Alternative columns for one value: a default must not contradict the other column of the file. */
const aliases: Partial<Record<ImportField, ImportField>> = {
  entity: 'entity_id',
  entity_id: 'entity',
  department: 'department_id',
  department_id: 'department',
};

/** Fills blank cells of a new person from the defaults. A status assumed from dates needs the form's rules first. */
export function withDefaults(meanings: Meanings, defaults: Defaults): Meanings {
  const filled = { ...meanings };
  for (const [name, value] of Object.entries(defaults)) {
    const field = name as ImportField;
    const alias = aliases[field];
    if (value === null || value === statusByDates || field in meanings || (alias && alias in meanings)) continue;
    filled[field] = String(value).trim() || undefined;
  }
  return filled;
}

type ChoiceRow = FieldRow & { values?: readonly string[]; short?: Readonly<Record<string, string>> };
const rowOf = (field: string): ChoiceRow | undefined =>
  Object.hasOwn(employeeRows, field) ? employeeRows[field as Field] : undefined;

/** The fixed choices of a field. */
export const choicesOf = (field: string): readonly string[] | undefined => rowOf(field)?.values;

/** The choice that a text means even without a match, or the text in the notation of choices. */
export const readFixed = (field: string, text: string): string =>
  rowOf(field)?.short?.[text.toLowerCase()] ?? readChoice(field, choicesOf(field) ?? [], text);

/** Fields read from their cell alone; the check looks up references. */
type PlainField = Extract<Exclude<Field, `${string}_id`>, ImportField>;
const plainFields = (Object.keys(importFields) as ImportField[]).filter(
  (field): field is PlainField => field in employeeInput && employeeRows[field as Field].kind !== 'reference',
);

/** Converts a cell to the field's form input. */
function readCell(field: PlainField, text: string, format: DateFormat): string {
  const row: FieldRow = employeeRows[field];
  if (row.kind === 'day') return readDate(text, format);
  return row.kind === 'choice' ? readFixed(field, text) : text;
}

/** A message with the value and the possible values, for fields where these are known. */
function hintsFor(field: PlainField, text: string, format: DateFormat): Message[] | undefined {
  const row: FieldRow & { values?: readonly string[] } = employeeRows[field];
  const value = quoted(text);
  if (row.values) return [messageOf('imports.not_a_choice', { value, choices: { choices: row.values, of: field } })];
  return row.kind === 'day' && !/^\d{4}-\d\d-\d\d$/.test(readDate(text, format))
    ? [messageOf('imports.not_a_date', { value, format: { date_format: format } })]
    : undefined;
}

type PartField = { column: ImportField; part: string; field: Field; input: z.ZodType };

/** Columns of composite fields, with the input of each part. */
const partFields: readonly PartField[] = fieldsWithParts.flatMap(({ field, columns }) => {
  const { shape } = employeeInput[field].unwrap().unwrap();
  return columns.map(({ column, part }) => ({
    column: column as ImportField,
    part,
    field,
    input: shape[part as keyof typeof shape],
  }));
});

const mayBeEmpty = new Set(plainFields.filter((field) => employeeInput[field].safeParse(null).success));

/** Adds the cells of parts to the values of a row; parts without a cell keep their value. */
function readParts(meanings: Meanings, sent: Record<string, unknown>, errors: FieldErrors): void {
  for (const { column, part, field, input } of partFields) {
    const meaning = meanings[column];
    if (meaning === undefined) continue;
    if (meaning !== null && hasInvalidCharacters(meaning)) {
      errors[column] = [say(column, messages.characters)];
      continue;
    }
    const read = input.safeParse(meaning, { error: describeIssue });
    if (read.success) sent[field] = { ...(sent[field] as object | undefined), [part]: read.data };
    else
      errors[column] = [
        ...ofIssues(
          column,
          read.error.issues.map(({ message }) => message),
        ),
      ];
  }
}

/** The values of a row as form input, with their own errors. */
export function readValues(meanings: Meanings, format: DateFormat): { sent: Sent; errors: FieldErrors } {
  const sent: Record<string, unknown> = {};
  const errors: FieldErrors = {};
  for (const field of plainFields) {
    const meaning = meanings[field];
    if (meaning === undefined) continue;
    if (meaning === null) {
      if (mayBeEmpty.has(field)) sent[field] = null;
      else errors[field] = [say(field, messages.required)];
      continue;
    }
    if (hasInvalidCharacters(meaning)) {
      errors[field] = [say(field, messages.characters)];
      continue;
    }
    const value = readCell(field, meaning, format);
    if (isEndless(value)) continue;
    const read = employeeInput[field].safeParse(value, { error: describeIssue });
    if (read.success) sent[field] = read.data;
    else
      errors[field] = hintsFor(field, meaning, format) ?? [
        ...ofIssues(
          field,
          read.error.issues.map(({ message }) => message),
        ),
      ];
  }
  readParts(meanings, sent, errors);
  return { sent: sent, errors };
}
