import * as z from 'zod';
import { messages } from './messages.ts';
import { asIssue, text as say } from './texts.ts';
import type { Text } from './texts.ts';

/**
 * Field types of requests. What arrives was already trimmed and has null for an empty string; each type says what it
 * accepts beyond that. Lengths count code points.
 */

// oxlint-disable-next-line typescript/no-misused-spread -- code points are what is counted
const codePoints = (value: string) => [...value].length;

/**
 * Nothing that can be seen: spaces, control characters, what Unicode calls ignorable (joiners, marks of direction,
 * variation selectors, fillers), marks of annotations and the blank of Braille.
 */
const blank = /^[\s\p{Z}\p{Cc}\p{Default_Ignorable_Code_Point}\ufff9-\ufffb\u2800]+$/u;

/** Text of `min` to `max` characters; what `first` finds wrong is all that is said. */
const sized = (max: number, min: number, first: (value: string) => Text[]) =>
  z
    .string()
    .meta({ maxLength: max, ...(min > 0 && { minLength: min }) })
    .check(({ value, issues }) => {
      const length = codePoints(value);
      const [before] = first(value);
      const lengths = [
        ...(length < min ? [messages.leastCharacters(min)] : []),
        ...(length > max ? [messages.mostCharacters(max)] : []),
      ];
      // `continue`: the rules that follow report too
      for (const said of before ? [before] : lengths)
        issues.push({ code: 'custom', input: value, message: asIssue(said), continue: before === undefined });
    });

/** Text to look for, of at most `max` characters. */
export const searched = (max = 255) => sized(max, 0, () => []);

/**
 * Text of `min` to `max` characters; 255 unless the field says otherwise. One that looks empty is refused as if it was:
 * what bears such a name could not be found or clicked.
 */
export const text = (max = 255, min = 0) => sized(max, min, (value) => (blank.test(value) ? [messages.required] : []));

/** Text of `min` to `max` characters that matches a pattern. */
export const pattern = (regex: RegExp, max: number, min = 0) => text(max, min).regex(regex);

/** A password as it was typed: kept byte by byte, and not empty. */
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

/** The largest whole number that a column of four bytes holds; every column does but those of ids. */
export const largestInteger = 2_147_483_647;

/** A whole number that fits its column, also as `"5"`. */
export const integer = (min = -largestInteger - 1, max = largestInteger) =>
  z.preprocess(asInteger, z.int().min(min).max(max));

/** The id of a record. */
export const id = () => z.preprocess(asInteger, z.int());

/** A finite number, also as `"12.50"`. */
export const number = (min: number, max: number) => z.preprocess(asNumber, z.number().min(min).max(max));

/** A number of at most `places` decimals, also as `"12.50"`. */
export const decimal = (min: number, max: number, places: number) =>
  number(min, max).refine((value) => Number(value.toFixed(places)) === value, {
    error: asIssue(say('validation.decimal_places', { most: places })),
  });

/** true, false, 1, 0 and their texts, as forms send them. */
export const boolean = () => z.preprocess((value) => booleans.get(value) ?? value, z.boolean());

/** True for a real day written `YYYY-MM-DD`. */
export function isDay(value: string): boolean {
  const match = /^([0-9]{4})-([0-9]{2})-([0-9]{2})$/.exec(value);
  if (!match) return false;
  const [year, month, date] = [Number(match[1]), Number(match[2]), Number(match[3])];
  if (year < 1 || month < 1 || month > 12 || date < 1) return false;
  const leap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
  const days = [31, leap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1] ?? 0;
  return date <= days;
}

/** A day as `YYYY-MM-DD`. Whatever is no such day, number or word, has one message. */
export const date = () =>
  z
    .string({ error: (issue) => asIssue(issue.input === undefined ? messages.required : messages.date) })
    .meta({ maxLength: 10, format: 'date' })
    .refine(isDay, { error: asIssue(messages.date) });

const lastYear = '9999-01-01';

/** True for a day after which others can be counted: the last year that days have is not yet reached. */
export const isCountable = (value: string): boolean => isDay(value) && value < lastYear;

/** A day from which due days are counted. */
export const countableDate = () =>
  date().refine((value) => !isDay(value) || isCountable(value), { error: asIssue(messages.before(lastYear)) });

const time = /^T([01][0-9]|2[0-3]):[0-5][0-9](:[0-5][0-9](\.[0-9]{1,3})?)?(Z|[+-](0[0-9]|1[0-4]):[0-5][0-9])$/;

/** True for a day, and for an instant that says its distance from UTC. */
const isMoment = (value: string) => isDay(value.slice(0, 10)) && (value.length === 10 || time.test(value.slice(10)));

/** A day in UTC, or an instant with its distance from UTC. */
export const moment = () =>
  z
    .string()
    .meta({ maxLength: 30, description: 'A day in UTC, or an instant as 2026-11-21T01:48:42Z; inclusive' })
    .refine(isMoment, { error: asIssue(messages.date) });

/** The one spelling of an address: compatible forms of letters as one, small letters. */
export const foldEmail = (value: string): string => value.normalize('NFKC').toLowerCase().normalize('NFKC');

/** Invisible characters, by which two addresses could differ that look alike. */
const unseen = /[\p{C}\p{Default_Ignorable_Code_Point}]/u;

/** True for one `@` without white space or anything unseen around it; `a@b..c` and a dot at an end fail. */
export const isEmail = (value: string): boolean =>
  codePoints(value) <= 190 && !unseen.test(value) && /^[^@\s]+@[^@\s.]+(\.[^@\s.]+)*$/u.test(value);

/** An e-mail address, kept folded. */
export const email = () =>
  z
    .string()
    .meta({ maxLength: 190, format: 'email' })
    .overwrite(foldEmail)
    .refine(isEmail, { error: asIssue(messages.email) });

/** One of the given lower-case values. */
export const oneOf = <const T extends readonly [string, ...string[]]>(values: T) => z.enum(values);

/** True for an address of the web as a link may have it: http or https, no white space, no control characters. */
export const isWebAddress = (value: string): boolean =>
  // oxlint-disable-next-line no-control-regex -- control characters are what is refused here
  /^https?:\/\/[^\s\u0000-\u001f\u007f<>"]+$/iu.test(value) && z.url().safeParse(value).success;

/** A link into the web; the service itself never follows it. */
export const webAddress = () =>
  text(500)
    .meta({ maxLength: 500, format: 'uri' })
    .refine(isWebAddress, { error: asIssue(messages.url) });

/** 5 to 30 digits, spaces and `+ ( ) . - / x`. */
export const phone = () => pattern(/^[0-9 +().\-/x]*$/, 30, 5);

/** True for a name of the time zone database. */
export const isTimeZone = (zone: string): boolean =>
  zone === 'UTC' || Intl.supportedValuesOf('timeZone').includes(zone);

/** The tag of a language as BCP 47 has it, such as `de` or `pt-BR`. */
export const languageTag = () => pattern(/^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*$/, 35);

/** ISO 3166-1 alpha-2, two capitals. */
export const country = () => pattern(/^[A-Z]{2}$/, 2);

/** A reason as transitions ask for it. */
export const reason = () => text(500, 10);

/** The revision the sender saw; a different one is refused. */
export const revision = { revision: integer(1).optional() };

const required = z.registry<{ fields: readonly string[] }>();

const requiredKeys = (schema: z.ZodObject) =>
  Object.entries(schema.shape)
    .filter(([, field]) => [undefined, null].every((empty) => !z.safeParse(field as z.ZodType, empty).success))
    .map(([key]) => key);

/**
 * The body of an update: every field may be absent, but one that a create demands may not be emptied. `extra` are
 * fields that only the update knows.
 */
export function changes<T extends z.ZodObject, X extends z.ZodRawShape = Record<never, never>>(create: T, extra?: X) {
  const update = create.partial().extend(extra ?? ({} as X));
  required.add(update, { fields: requiredKeys(create) });
  return update;
}

/** The fields of a body that may not be null, because a create demands them. */
export const requiredFields = (body: z.ZodObject): readonly string[] =>
  required.get(body)?.fields ?? requiredKeys(body);
