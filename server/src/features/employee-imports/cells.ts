import type { dateFormats, ImportField } from '@tenure/contract';
import { describeIssue, employeeInput, messages } from '@tenure/contract';
import type * as z from 'zod';
import { say } from '../../http/errors.ts';
import type { FieldErrors } from '../../http/errors.ts';
import { hasInvalidCharacters } from '../../http/validation.ts';
import type { Field, Sent } from '../employees/fields.ts';
import { meaningOf } from '../../imports/cells.ts';
import type { Meaning } from '../../imports/cells.ts';
import type { Defaults, Layout } from '../../imports/columns.ts';

export type DateFormat = (typeof dateFormats)[number];

export type Meanings = Partial<Record<ImportField, Meaning>>;

/** What the cells of a row say, by field. */
export function readMeanings(cells: readonly string[], layout: Layout<ImportField>): Meanings {
  const meanings: Meanings = {};
  for (const [field, index] of layout) {
    const meaning = meaningOf(cells[index]);
    if (meaning !== undefined) meanings[field] = meaning;
  }
  return meanings;
}

/** Two ways to say the same: what the file says in one of them, no default may contradict in the other. */
const twins: Partial<Record<ImportField, ImportField>> = {
  entity: 'entity_id',
  entity_id: 'entity',
  department: 'department_id',
  department_id: 'department',
};

/** Blank cells filled from the defaults, for a row that will be a new person. */
export function withDefaults(meanings: Meanings, defaults: Defaults): Meanings {
  const filled = { ...meanings };
  for (const [name, value] of Object.entries(defaults)) {
    const field = name as ImportField;
    const twin = twins[field];
    if (value === null || field in meanings || (twin && twin in meanings)) continue;
    filled[field] = String(value).trim() || undefined;
  }
  return filled;
}

const patterns: Record<DateFormat, RegExp> = {
  'YYYY-MM-DD': /^(?<year>\d{4})-(?<month>\d{1,2})-(?<day>\d{1,2})$/,
  'YYYY/MM/DD': /^(?<year>\d{4})\/(?<month>\d{1,2})\/(?<day>\d{1,2})$/,
  'DD/MM/YYYY': /^(?<day>\d{1,2})\/(?<month>\d{1,2})\/(?<year>\d{4})$/,
  'MM/DD/YYYY': /^(?<month>\d{1,2})\/(?<day>\d{1,2})\/(?<year>\d{4})$/,
  'DD.MM.YYYY': /^(?<day>\d{1,2})\.(?<month>\d{1,2})\.(?<year>\d{4})$/,
  'DD-MM-YYYY': /^(?<day>\d{1,2})-(?<month>\d{1,2})-(?<year>\d{4})$/,
};

/** A date in the format of the file as `YYYY-MM-DD`; anything else as it is. */
export function readDate(text: string, format: DateFormat): string {
  const parts = patterns[format].exec(text)?.groups;
  if (!parts) return text;
  return `${parts.year}-${parts.month?.padStart(2, '0')}-${parts.day?.padStart(2, '0')}`;
}

const genderLetters: Readonly<Record<string, string>> = { m: 'male', f: 'female' };

/** A choice in any case, with spaces or hyphens for `_`. */
const readChoice = (text: string) => text.toLowerCase().replaceAll(/[\s-]+/g, '_');

type Reader = (text: string, format: DateFormat) => string;
const asText: Reader = (text) => text;
const asChoice: Reader = (text) => readChoice(text);

/** Fields that are read by themselves; what refers to something else is looked up by the check. */
const readers = {
  employee_number: asText,
  first_name: asText,
  last_name: asText,
  email: asText,
  date_of_birth: readDate,
  gender: (text) => genderLetters[text.toLowerCase()] ?? readChoice(text),
  marital_status: asChoice,
  nationality: asText,
  job_title: asText,
  activity_status: asChoice,
  employment_lifecycle: asChoice,
  joining_date: readDate,
  probation_start_date: readDate,
  probation_end_date: readDate,
  confirmation_date: readDate,
  notice_date: readDate,
  last_working_date: readDate,
  middle_name: asText,
  display_name: asText,
  salutation: asText,
  employment_type: asChoice,
  grade: asText,
  phone: asText,
  mobile: asText,
  personal_email: asText,
} as const satisfies Partial<Record<Field & ImportField, Reader>>;

type PlainField = keyof typeof readers;
const plainFields = Object.keys(readers) as PlainField[];

const mayBeEmpty = new Set(plainFields.filter((field) => employeeInput[field].safeParse(null).success));

function problemsOf(field: Field, issues: readonly z.core.$ZodIssue[]): string[] {
  return [...new Set(issues.map((issue) => say(field, issue.message)))];
}

/** The values of a row as a form would send them, with what is wrong about them by themselves. */
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
    const read = employeeInput[field].safeParse(readers[field](meaning, format), { error: describeIssue });
    if (read.success) sent[field] = read.data;
    else errors[field] = problemsOf(field, read.error.issues);
  }
  return { sent: sent, errors };
}
