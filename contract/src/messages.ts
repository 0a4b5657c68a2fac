import type * as z from 'zod';
import { asIssue, text } from './texts.ts';
import type { Text } from './texts.ts';

/** A day, `today`, or another field that contains a day. */
type Moment = string | { field: string };
const moment = (date: Moment) => (typeof date === 'string' ? { day: date } : date);

/** The service's validation messages. Code that knows the path fills in the field. */
export const messages = {
  required: text('validation.required'),
  string: text('validation.string'),
  integer: text('validation.integer'),
  number: text('validation.number'),
  array: text('validation.array'),
  boolean: text('validation.boolean'),
  email: text('validation.email'),
  colour: text('validation.colour'),
  url: text('validation.url'),
  uuid: text('validation.uuid'),
  date: text('validation.date'),
  taken: text('validation.taken'),
  selected: text('validation.selected'),
  format: text('validation.format'),
  characters: text('validation.characters'),
  confirmed: text('validation.confirmed'),
  prohibited: text('validation.prohibited'),
  json: text('validation.json'),
  file: text('validation.file'),
  image: text('validation.image'),
  duplicate: text('validation.duplicate'),
  currentPassword: text('account.wrong_password'),
  /** A reference to nothing the sender can select: it does not exist, is inactive or out of scope. */
  unavailable: text('validation.unavailable'),
  after: (date: Moment) =>
    date === 'today' ? text('validation.future') : text('validation.after', { date: moment(date) }),
  afterOrEqual: (date: Moment) =>
    date === 'today' ? text('validation.not_past') : text('validation.after_or_equal', { date: moment(date) }),
  before: (date: Moment) =>
    date === 'today' ? text('validation.past') : text('validation.before', { date: moment(date) }),
  beforeOrEqual: (date: Moment) =>
    date === 'today' ? text('validation.not_future') : text('validation.before_or_equal', { date: moment(date) }),
  leastCharacters: (least: number) => text('validation.least_characters', { least }),
  maxCharacters: (most: number) => text('validation.most_characters', { most }),
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

function least(origin: Origin | undefined, n: number): Text {
  if (origin === 'string') return messages.leastCharacters(n);
  return text(origin === 'array' ? 'validation.least_items' : 'validation.least', { least: n });
}

function most(origin: Origin | undefined, n: number): Text {
  if (origin === 'string') return messages.maxCharacters(n);
  return text(origin === 'array' ? 'validation.most_items' : 'validation.most', { most: n });
}

const formats: Readonly<Record<string, Text>> = { email: messages.email, url: messages.url, uuid: messages.uuid };

const isInteger = (inst: unknown) =>
  (inst as { _zod?: { def?: { format?: string } } })?._zod?.def?.format === 'safeint';

function typeMessage(issue: RawIssue): Text {
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

function messageOf(raw: z.core.$ZodRawIssue): Text {
  const issue = raw as RawIssue;
  switch (issue.code) {
    case 'invalid_type':
      return typeMessage(issue);
    case 'too_small':
      return least(issue.origin, Number(issue.minimum ?? 0));
    case 'too_big':
      return most(issue.origin, Number(issue.maximum ?? 0));
    case 'invalid_format':
      return formats[issue.format ?? ''] ?? messages.format;
    case 'invalid_value':
      return issue.input === undefined ? messages.required : messages.selected;
    default:
      return messages.selected;
  }
}

/** The message for an issue found by zod; the error map for parsing requests. */
export const describeIssue = (raw: z.core.$ZodRawIssue): string => asIssue(messageOf(raw));
