import type * as z from 'zod';

/**
 * The validation messages of the service. `:attribute` stands for the field and is filled in by the
 * caller, who knows the path; the other placeholders are filled in here.
 */
export const messages = {
  required: 'The :attribute field is required.',
  string: 'The :attribute field must be a string.',
  integer: 'The :attribute field must be an integer.',
  number: 'The :attribute field must be a number.',
  array: 'The :attribute field must be an array.',
  boolean: 'The :attribute field must be true or false.',
  email: 'The :attribute field must be a valid email address.',
  url: 'The :attribute field must be a valid URL.',
  uuid: 'The :attribute field must be a valid UUID.',
  date: 'The :attribute field must be a valid date.',
  taken: 'The :attribute has already been taken.',
  selected: 'The selected :attribute is invalid.',
  format: 'The :attribute field format is invalid.',
  characters: 'The :attribute field contains invalid characters.',
  confirmed: 'The :attribute field confirmation does not match.',
  prohibited: 'The :attribute field is prohibited.',
  json: 'The :attribute field must be a valid JSON string.',
  file: 'The :attribute field must be a file.',
  image: 'The :attribute field must be an image.',
  currentPassword: 'The password is incorrect.',
  after: (date: string) => `The :attribute field must be a date after ${date}.`,
  afterOrEqual: (date: string) => `The :attribute field must be a date after or equal to ${date}.`,
  before: (date: string) => `The :attribute field must be a date before ${date}.`,
  beforeOrEqual: (date: string) => `The :attribute field must be a date before or equal to ${date}.`,
} as const;

type Origin = 'string' | 'number' | 'int' | 'array' | 'set' | 'file' | 'date' | 'bigint' | 'map';
type RawIssue = {
  code?: string;
  input?: unknown;
  expected?: string;
  origin?: Origin;
  minimum?: number | bigint;
  maximum?: number | bigint;
  format?: string;
  inst?: unknown;
};

const least = (origin: Origin | undefined, n: number | bigint) =>
  origin === 'string'
    ? `The :attribute field must be at least ${n} characters.`
    : origin === 'array'
      ? `The :attribute field must have at least ${n} items.`
      : `The :attribute field must be at least ${n}.`;

const most = (origin: Origin | undefined, n: number | bigint) =>
  origin === 'string'
    ? `The :attribute field must not be greater than ${n} characters.`
    : origin === 'array'
      ? `The :attribute field must not have more than ${n} items.`
      : `The :attribute field must not be greater than ${n}.`;

const isInteger = (inst: unknown) =>
  (inst as { _zod?: { def?: { format?: string } } })?._zod?.def?.format === 'safeint';

function typeMessage(issue: RawIssue): string {
  if (issue.input === undefined) return messages.required;
  switch (issue.expected) {
    case 'int':
      return messages.integer;
    case 'number':
      return isInteger(issue.inst) ? messages.integer : messages.number;
    case 'boolean':
      return messages.boolean;
    case 'array':
    case 'object':
    case 'record':
      return messages.array;
    default:
      return messages.string;
  }
}

/** The message template for what zod found; used as the error map of every parse of a request. */
export function describeIssue(raw: z.core.$ZodRawIssue): string {
  const issue = raw as RawIssue;
  switch (issue.code) {
    case 'invalid_type':
      return typeMessage(issue);
    case 'too_small':
      return least(issue.origin, issue.minimum ?? 0);
    case 'too_big':
      return most(issue.origin, issue.maximum ?? 0);
    case 'invalid_format':
      return issue.format === 'email'
        ? messages.email
        : issue.format === 'url'
          ? messages.url
          : issue.format === 'uuid'
            ? messages.uuid
            : messages.format;
    case 'invalid_value':
      return issue.input === undefined ? messages.required : messages.selected;
    default:
      return messages.selected;
  }
}
