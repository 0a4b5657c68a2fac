import * as z from 'zod';
import { messages } from './messages.ts';
import { asIssue, text as say } from './texts.ts';
import type { Text } from './texts.ts';

/**
 * Field types for requests. Input was already trimmed and has null for empty strings; each type documents what it
 * accepts beyond that. Lengths count code points.
 */

// oxlint-disable-next-line typescript/no-misused-spread -- code points are what is counted
const codePoints = (value: string) => [...value].length;

/**
 * Text without anything visible: spaces, control characters, Unicode's ignorable characters (joiners, direction marks,
 * variation selectors, fillers), annotation marks and the Braille blank.
 */
const blank = /^[\s\p{Z}\p{Cc}\p{Default_Ignorable_Code_Point}\ufff9-\ufffb\u2800]+$/u;

/** Text of `min` to `max` characters; problems found by `first` are reported alone. */
const sized = (max: number, min: number, first: (value: string) => Text[]) =>
  z
    .string()
    .meta({ maxLength: max, ...(min > 0 && { minLength: min }) })
    .check(({ value, issues }) => {
      const length = codePoints(value);
      const [before] = first(value);
      const lengths = [
        ...(length < min ? [messages.leastCharacters(min)] : []),
        ...(length > max ? [messages.maxCharacters(max)] : []),
      ];
      // `continue`: the following rules report too
      for (const said of before ? [before] : lengths)
        issues.push({ code: 'custom', input: value, message: asIssue(said), continue: before === undefined });
    });

/** Text to look for, of at most `max` characters. */
export const searched = (max = 255) => sized(max, 0, () => []);

/**
 * Text of `min` to `max` characters, by default at most 255. Text that looks empty is refused like empty text, because
 * a record with such a name could not be found or clicked.
 */
export const text = (max = 255, min = 0) => sized(max, min, (value) => (blank.test(value) ? [messages.required] : []));

/** Text of `min` to `max` characters that matches a pattern. */
export const pattern = (regex: RegExp, max: number, min = 0) => text(max, min).regex(regex);

/** A password as it was typed: every byte is kept, and it is not empty. */
export const password = () =>
  z
    .string()
    .max(1_024)
    .refine((value) => value !== '', { error: asIssue(messages.required) });

const asInteger = (value: unknown) =>
  typeof value === 'string' && /^(0|-?[1-9][0-9]{0,15})$/.test(value) ? Number(value) : value;
const asNumber = (value: unknown) =>
  typeof value === 'string' && /^-?(0|[1-9][0-9]{0,15})(\.[0-9]{1,10})?$/.test(value) ? Number(value) : value;
const booleans = new Map<unknown, boolean>([
  [1, true],
  [0, false],
  ['1', true],
  ['0', false],
  ['true', true],
  ['false', false],
]);

/** The largest integer in a four-byte column, the size of all columns except ids. */
export const largestInteger = 2_147_483_647;

/** A whole number that fits its column, also in the form `"5"`. */
export const integer = (min = -largestInteger - 1, max = largestInteger) =>
  z.preprocess(asInteger, z.int().min(min).max(max));

/** The id of a record. */
export const id = () => z.preprocess(asInteger, z.int());

/** A finite number, also in the form `"12.50"`. */
export const number = (min: number, max: number) => z.preprocess(asNumber, z.number().min(min).max(max));

/** A number with at most `places` decimals, also in the form `"12.50"`. */
export const decimal = (min: number, max: number, places: number) =>
  number(min, max).refine((value) => Number(value.toFixed(places)) === value, {
    error: asIssue(say('validation.decimal_places', { most: places })),
  });

/** true, false, 1, 0 and their text forms, as forms send them. */
export const boolean = () => z.preprocess((value) => booleans.get(value) ?? value, z.boolean());

/** True for an existing day in the form `YYYY-MM-DD`. */
export function isDay(value: string): boolean {
  const match = /^([0-9]{4})-([0-9]{2})-([0-9]{2})$/.exec(value);
  if (!match) return false;
  const [year, month, date] = [Number(match[1]), Number(match[2]), Number(match[3])];
  if (year < 1 || month < 1 || month > 12 || date < 1) return false;
  const leap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
  const days = [31, leap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1] ?? 0;
  return date <= days;
}

/** A day in the form `YYYY-MM-DD`. Anything else, number or text, gets a single message. */
export const date = () =>
  z
    .string({ error: (issue) => asIssue(issue.input === undefined ? messages.required : messages.date) })
    .meta({ maxLength: 10, format: 'date' })
    .refine(isDay, { error: asIssue(messages.date) });

const lastYear = '9999-01-01';

/** True for a day after which others can be counted: it is before the last year that days have. */
export const isCountable = (value: string): boolean => isDay(value) && value < lastYear;

/** A day from which due days are counted. */
export const countableDate = () =>
  date().refine((value) => !isDay(value) || isCountable(value), { error: asIssue(messages.before(lastYear)) });

const time = /^T([01][0-9]|2[0-3]):[0-5][0-9](:[0-5][0-9](\.[0-9]{1,3})?)?(Z|[+-](0[0-9]|1[0-4]):[0-5][0-9])$/;

/** True for a day, and for an instant with a UTC offset. */
const isMoment = (value: string) => isDay(value.slice(0, 10)) && (value.length === 10 || time.test(value.slice(10)));

/** A day in UTC, or an instant with its UTC offset. */
export const moment = () =>
  z
    .string()
    .meta({ maxLength: 30, description: 'A day in UTC, or an instant as 2026-11-21T01:48:42Z; inclusive' })
    .refine(isMoment, { error: asIssue(messages.date) });

/** The normalised spelling of an address: compatible forms of letters unified, in lower case. */
export const foldEmail = (value: string): string => value.normalize('NFKC').toLowerCase().normalize('NFKC');

/** Invisible characters, in which addresses that look the same could differ. */
const unseen = /[\p{C}\p{Default_Ignorable_Code_Point}]/u;

/** True for one `@` without white space or invisible characters around it; `a@b..c` and a dot at an end fail. */
export const isEmail = (value: string): boolean =>
  codePoints(value) <= 190 && !unseen.test(value) && /^[^@\s]+@[^@\s.]+(\.[^@\s.]+)*$/u.test(value);

/** An email address, stored normalised. */
export const email = () =>
  z
    .string()
    .meta({ maxLength: 190, format: 'email' })
    .overwrite(foldEmail)
    .refine(isEmail, { error: asIssue(messages.email) });

/** One of the given lower-case values. */
export const oneOf = <const T extends readonly [string, ...string[]]>(values: T) => z.enum(values);

/** True for a web address that is valid in a link: http or https, no white space, no control characters. */
export const isWebAddress = (value: string): boolean =>
  // oxlint-disable-next-line no-control-regex -- control characters are what is refused here
  /^https?:\/\/[^\s\u0000-\u001f\u007f<>"]+$/iu.test(value) && z.url().safeParse(value).success;

/** A web link, which the service itself never follows. */
export const webAddress = () =>
  text(500)
    .meta({ maxLength: 500, format: 'uri' })
    .refine(isWebAddress, { error: asIssue(messages.url) });

/** 5 to 30 digits, spaces and `+ ( ) . - / x`. */
export const phone = () => pattern(/^[0-9 +().\-/x]*$/, 30, 5);

/** True for a name in the time zone database. */
export const isTimeZone = (zone: string): boolean =>
  zone === 'UTC' || Intl.supportedValuesOf('timeZone').includes(zone);

/** A BCP 47 language tag, such as `de` or `pt-BR`. */
export const languageTag = () => pattern(/^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*$/, 35);

/** ISO 3166-1 alpha-2, two capitals. */
export const country = () => pattern(/^[A-Z]{2}$/, 2);

/** A reason, as transitions require. */
export const reason = () => text(500, 10);

/** The revision that the sender saw; a different one is refused. */
export const revision = { revision: integer(1).optional() };

const required = z.registry<{ fields: readonly string[] }>();
const neverEmpty = z.registry<{ fields: readonly string[] }>();

/** Marks fields that a body may leave out but not empty, such as those that only one kind of a record has. */
export function filled<T extends z.ZodObject>(body: T, fields: readonly (keyof T['shape'] & string)[]): T {
  neverEmpty.add(body, { fields });
  return body;
}

const requiredKeys = (schema: z.ZodObject) =>
  Object.entries(schema.shape)
    .filter(([, field]) => [undefined, null].every((empty) => !z.safeParse(field as z.ZodType, empty).success))
    .map(([key]) => key);

/**
 * The body of an update: every field may be absent, but a field that a create requires cannot be emptied. `extra` are
 * fields that only the update has.
 */
export function changes<T extends z.ZodObject, X extends z.ZodRawShape = Record<never, never>>(create: T, extra?: X) {
  const update = create.partial().extend(extra ?? ({} as X));
  required.add(update, { fields: requiredKeys(create) });
  neverEmpty.add(update, { fields: neverEmpty.get(create)?.fields ?? [] });
  return update;
}

/** The fields of a body that a create requires. */
export const requiredFields = (body: z.ZodObject): readonly string[] =>
  required.get(body)?.fields ?? requiredKeys(body);

/** The fields of a body that may not be null. */
export const fieldsNeverEmpty = (body: z.ZodObject): readonly string[] => [
  ...requiredFields(body),
  ...(neverEmpty.get(body)?.fields ?? []),
];
