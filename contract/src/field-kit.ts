import * as z from 'zod';
import { day } from './envelope.ts';
import {
  boolean,
  country,
  date,
  email,
  id,
  integer,
  isTimeZone,
  languageTag,
  oneOf,
  pattern,
  phone,
  text,
} from './fields.ts';
import { messages } from './messages.ts';
import { asIssue } from './texts.ts';

/**
 * One row per field of a record. Its row says everything about a field: what a request may send, what an answer holds,
 * who sees and who changes it, how files of people call it, where forms and lists show it. Everything else is derived.
 */

export type FieldKind =
  | 'text'
  | 'longText'
  | 'code'
  | 'country'
  | 'timeZone'
  | 'language'
  | 'integer'
  | 'email'
  | 'phone'
  | 'day'
  | 'choice'
  | 'flag'
  | 'reference'
  | 'parts'
  | 'computed';

/** Groups of readers. A field of a group that a reader does not belong to is absent; `card` is never. */
export type FieldGroup = 'card' | 'work' | 'private';

/** What a row says beside its kind. */
export type FieldOptions = {
  /** Who sees it; without it all readers of the record. */
  group?: FieldGroup;
  /** A new record needs it, and it is never empty. */
  required?: true;
  /** A new record says it, if only that it is empty. */
  stated?: true;
  /** Filled in by the rules where it is not sent, and never empty. */
  filledIn?: true;
  /** Made by the rules for a new record that comes without it, and never emptied later. */
  made?: true;
  /** What the rules fill in, where it is the same for every record. */
  begins?: string | number | boolean;
  /** Every person may change it on their own record. */
  selfEdit?: true;
  /** The person cannot change it on their own record. */
  readOnlyForSelf?: true;
  /** Sent for a new record only; later a step of the lifecycle changes it. */
  createOnly?: true;
  /** Other headings that an import reads as this field; without them it is not imported. */
  importAs?: readonly string[];
  /** An export has a column of it. */
  export?: true;
  /** Lists offer a column of it, called by its name. */
  list?: true;
  /** Lists can be ordered by it: texts by the column `<name>_sort`. */
  sort?: true;
  /** Lists can be narrowed to some of its values. */
  filter?: true;
  /** The search of a list of companies or departments looks into it; people have an index of their own. */
  search?: true;
  /** The section of forms and profiles it stands in. */
  section?: string;
  /** How much of a line of a form it takes; without it the whole line. */
  width?: 'half' | 'third';
  /** Asked for in the open part of the form for a new record. */
  primary?: true;
  /** Not mentioned while it is empty. */
  hiddenWhenEmpty?: true;
  /** What an answer holds, where that is not what was sent. */
  shown?: z.ZodType;
};

type Given<S extends z.ZodType, O> = O extends { required: true }
  ? S
  : O extends { stated: true }
    ? z.ZodNullable<S>
    : O extends { filledIn: true }
      ? z.ZodOptional<S>
      : z.ZodOptional<z.ZodNullable<S>>;
type Kept<S extends z.ZodType, O> = O extends { shown: infer T extends z.ZodType }
  ? T
  : O extends { required: true } | { filledIn: true } | { made: true }
    ? S
    : z.ZodNullable<S>;
type Seen<S extends z.ZodType, O> = O extends { group: 'work' | 'private' } ? z.ZodOptional<S> : S;
type Grouped<O> = O & { group: O extends { group: infer G extends FieldGroup } ? G : 'card' };

/** What is kept and shown; no request sends it. */
export type ShownField = FieldOptions & { group: FieldGroup; kind: FieldKind; output: z.ZodType };
/** What requests send. */
export type SentField = ShownField & { input: z.ZodType };
export type FieldRow = ShownField | SentField;
export type FieldRows = Readonly<Record<string, FieldRow>>;

function seen<S extends z.ZodType, const O extends FieldOptions>(output: S, options: O): Seen<Kept<S, O>, O> {
  const { required, filledIn, made, shown, group = 'card' }: FieldOptions = options;
  const kept = shown ?? (required || filledIn || made ? output : output.nullable());
  return (group === 'card' ? kept : kept.optional()) as Seen<Kept<S, O>, O>;
}

const grouped = <O extends FieldOptions>(options: O) => ({ group: 'card', ...options }) as Grouped<O>;

type Sent<K extends FieldKind, I extends z.ZodType, S extends z.ZodType, O> = Grouped<O> & {
  kind: K;
  input: Given<I, O>;
  output: Seen<Kept<S, O>, O>;
};

function sent<const K extends FieldKind, I extends z.ZodType, S extends z.ZodType, const O extends FieldOptions>(
  kind: K,
  { input, output }: { input: I; output: S },
  options: O,
): Sent<K, I, S, O> {
  const { required, stated, filledIn }: FieldOptions = options;
  const given = required ? input : stated ? input.nullable() : filledIn ? input.optional() : input.nullish();
  return { ...grouped(options), kind, input: given as Given<I, O>, output: seen(output, options) };
}

type Length = { max: number; min?: number; pattern?: RegExp };
/** A part of a field; files have a column `<field>_<part>` of it, with `importAs` as other headings. */
type Part = { kind: 'text' | 'phone'; max: number; importAs: readonly string[]; hiddenWhenEmpty?: true };
type Parts<N extends string> = { parts: Readonly<Record<N, Part>> };
type PartsGiven<N extends string> = z.ZodObject<{ [K in N]: z.ZodOptional<z.ZodNullable<z.ZodString>> }>;

const partsOf = <N extends string>(parts: Readonly<Record<N, Part>>, make: (part: Part) => z.ZodType) =>
  z.object(
    Object.fromEntries(Object.entries<Part>(parts).map(([name, part]) => [name, make(part)])),
  ) as unknown as PartsGiven<N>;

const phoneMax = 30;
const timeZoneMax = 60;

/** The kinds of fields. A field that behaves in a way of its own is a new kind, not an exception in those who use it. */
export const field = {
  text: <const O extends FieldOptions & Length>(options: O) => {
    const { max, min, pattern: regex }: Length = options;
    const input = regex ? pattern(regex, max, min) : text(max, min);
    return sent('text', { input, output: z.string().max(max) }, options);
  },
  /** Text of several lines. */
  longText: <const O extends FieldOptions & { max: number }>(options: O) =>
    sent('longText', { input: text(options.max), output: z.string().max(options.max) }, options),
  /** Capitals and digits that stand for a record. */
  code: <const O extends FieldOptions & { max: number; min: number }>(options: O) => {
    const { max, min }: { max: number; min: number } = options;
    return sent('code', { input: pattern(/^[A-Z0-9]*$/, max, min), output: z.string().max(max) }, options);
  },
  country: <const O extends FieldOptions>(options: O) =>
    sent('country', { input: country(), output: z.string().max(2) }, { max: 2, ...options }),
  /** A name of the time zone database. */
  timeZone: <const O extends FieldOptions>(options: O) => {
    const input = text(timeZoneMax).refine(isTimeZone, { error: asIssue(messages.selected) });
    return sent('timeZone', { input, output: z.string().max(timeZoneMax) }, options);
  },
  /** A tag such as `de` or `pt-BR`; where it is not shipped, people read English. */
  language: <const O extends FieldOptions>(options: O) =>
    sent('language', { input: languageTag(), output: z.string().max(35) }, options),
  /** A whole number; `unit` is what it counts. */
  integer: <const O extends FieldOptions & { min: number; max: number; unit?: 'months' | 'days' }>(options: O) =>
    sent('integer', { input: integer(options.min, options.max), output: z.int() }, options),
  email: <const O extends FieldOptions>(options: O) =>
    sent('email', { input: email(), output: z.string().max(190) }, { max: 190, ...options }),
  phone: <const O extends FieldOptions>(options: O) =>
    sent('phone', { input: phone(), output: z.string().max(phoneMax) }, options),
  day: <const O extends FieldOptions>(options: O) => sent('day', { input: date(), output: day }, options),
  flag: <const O extends FieldOptions>(options: O) => sent('flag', { input: boolean(), output: z.boolean() }, options),
  /** One of some words; `short` are letters that stand for them in files. */
  choice: <
    const V extends readonly [string, ...string[]],
    const O extends FieldOptions & { short?: Readonly<Record<string, V[number]>> },
  >(
    values: V,
    options: O,
  ) => sent('choice', { input: oneOf(values), output: z.enum(values) }, { ...options, values }),
  /** The id of another record. */
  reference: <const O extends FieldOptions & { to: 'company' | 'department' | 'person' }>(options: O) =>
    sent('reference', { input: id(), output: z.int() }, options),
  /** Texts that belong together; a change of one leaves the others as they are. */
  parts: <const N extends string, const O extends FieldOptions & Parts<N>>(options: O & Parts<N>) => {
    const { parts } = options as Parts<N>;
    const input = partsOf(parts, ({ kind, max }) => (kind === 'phone' ? phone() : text(max)).nullish());
    const output = partsOf(parts, ({ max }) => z.string().max(max).nullable().optional());
    return sent('parts', { input, output }, options);
  },
  /** Kept, but changed by steps of the lifecycle only. */
  kept: <S extends z.ZodType, const O extends FieldOptions>(shown: S, options: O) => {
    const complete = { ...options, shown };
    return { ...grouped(complete), kind: 'computed' as const, column: true as const, output: seen(shown, complete) };
  },
  /** Made of other columns by those who read the record. */
  computed: <S extends z.ZodType, const O extends FieldOptions>(shown: S, options: O) => {
    const complete = { ...options, shown };
    return { ...grouped(complete), kind: 'computed' as const, output: seen(shown, complete) };
  },
};

/** The columns that files have of a field made of parts: each with the name of its part. */
export const columnsOfParts = (
  name: string,
  row: FieldRow,
): { column: string; part: string; importAs: readonly string[] }[] =>
  'parts' in row
    ? Object.entries(row.parts as Record<string, Part>).map(([part, { importAs }]) => ({
        column: `${name}_${part}`,
        part,
        importAs,
      }))
    : [];

type With<R, Rule> = { [K in keyof R]: R[K] extends Rule ? K : never }[keyof R];

function pick(rows: FieldRows, part: 'input' | 'output', wanted: (row: FieldRow) => boolean) {
  const entries = Object.entries(rows).filter(([, row]) => part in row && wanted(row));
  return Object.fromEntries(entries.map(([name, row]) => [name, (row as SentField)[part]]));
}

/** The schemas of what a request may send, in the order of the rows. */
export const inputOf = <R extends FieldRows>(rows: R) =>
  pick(rows, 'input', () => true) as {
    [K in With<R, SentField>]: R[K] extends { input: infer I } ? I : never;
  };

type MadeInput<F> = F extends { made: true; input: z.ZodOptional<z.ZodNullable<infer S extends z.ZodType>> }
  ? z.ZodOptional<S>
  : never;

/** What a change takes otherwise than a new record: nothing empties what the rules made. */
export function changeOf<R extends FieldRows>(rows: R) {
  const entries = Object.entries(rows).flatMap(([name, row]) => {
    if (!row.made || !('input' in row)) return [];
    const input = row.input as z.ZodOptional<z.ZodNullable<z.ZodType>>;
    return [[name, input.unwrap().unwrap().optional()]];
  });
  return Object.fromEntries(entries) as { [K in With<R, { made: true }>]: MadeInput<R[K]> };
}

/** Fields that stand in no column of their own. */
export type ComputedName<R> = Exclude<With<R, { kind: 'computed' }>, With<R, { column: true }>> & string;
/** Fields that stand in a column of their name. */
export type StoredName<R> = Exclude<keyof R, ComputedName<R>> & string;

/** Does a field stand in a column of its name? */
export const isStored = (row: FieldRow): boolean => row.kind !== 'computed' || 'column' in row;

/** The schemas of what an answer holds for a group of readers. */
export const outputOf = <R extends FieldRows, const G extends FieldGroup>(rows: R, group: G) =>
  pick(rows, 'output', (row) => row.group === group) as {
    [K in With<R, { group: G }>]: R[K]['output'];
  };

/** Names of the fields whose rows say so. */
export const namesWhere = <R extends FieldRows, const F extends keyof FieldOptions>(rows: R, says: F) =>
  Object.keys(rows).filter((name) => rows[name]?.[says]) as With<R, Record<F, NonNullable<unknown>>>[];

/** `names` with those of `first` before the others, which keep their order. */
export function inOrder<N extends string>(names: readonly N[], first: readonly string[]): N[] {
  const known = first.filter((name): name is N => (names as readonly string[]).includes(name));
  return [...known, ...names.filter((name) => !first.includes(name))];
}
