import * as z from 'zod';
import { namesWhere } from './field-kit.ts';
import type { FieldRow, FieldRows } from './field-kit.ts';
import { integer, isDay, largestInteger, searched } from './fields.ts';
import { messages } from './messages.ts';
import { asIssue } from './texts.ts';

/** Anything but a positive integer is page 1, whatever its form. */
const pageNumber = z
  .any()
  .transform((value: unknown) => {
    const page = typeof value === 'string' && /^[1-9][0-9]{0,9}$/.test(value) ? Number(value) : value;
    return typeof page === 'number' && Number.isInteger(page) && page >= 1 && page <= largestInteger ? page : 1;
  })
  .meta({
    type: ['integer', 'string'],
    maxLength: 255,
    default: 1,
  })
  .optional();

const pageSize = integer(1, 100).meta({ default: 15 }).nullish();

const direction = z
  .string()
  .transform((value, ctx) => {
    const lower = value.toLowerCase();
    if (lower === 'asc' || lower === 'desc') return lower;
    ctx.addIssue({ code: 'custom', message: asIssue(messages.selected) });
    return z.NEVER;
  })
  .meta({ enum: ['asc', 'desc'] })
  .nullish();

const split = (value: unknown) =>
  typeof value === 'string' || typeof value === 'number' ? `${value}`.split(',') : null;

function several<T>(read: (value: string) => T | undefined, message: string) {
  return z
    .any()
    .transform((value: unknown, ctx): T[] | undefined => {
      if (value === null || value === undefined) return undefined;
      const found: T[] = [];
      for (const part of split(value) ?? ['']) {
        const one = read(part.trim());
        if (one === undefined) {
          ctx.addIssue({ code: 'custom', message });
          return z.NEVER;
        }
        found.push(one);
      }
      return found;
    })
    .optional();
}

const whole = (greatest: number) => (value: string) => {
  const number = Number(value);
  return /^(0|[1-9][0-9]{0,15})$/.test(value) && number <= greatest ? number : undefined;
};

/** Filters: one value, or several separated by commas; any other value is a 422. */
export const filters = {
  /** Ids; `0` means "none" if the column may be empty. */
  ids: () =>
    several(whole(Number.MAX_SAFE_INTEGER), asIssue(messages.integer)).meta({
      type: 'array',
      items: { type: 'integer', minimum: 0, maximum: Number.MAX_SAFE_INTEGER },
    }),
  /** Numbers in a four-byte column. */
  integers: () =>
    several(whole(largestInteger), asIssue(messages.integer)).meta({
      type: 'array',
      items: { type: 'integer', minimum: 0, maximum: largestInteger },
    }),
  oneOf: <const T extends readonly [string, ...string[]]>(values: T) =>
    several<T[number]>((value) => (values.includes(value) ? value : undefined), asIssue(messages.selected)).meta({
      type: 'array',
      items: { type: 'string', enum: [...values] },
    }),
  text: (max = 255) => searched(max).nullish(),
  day: () =>
    z
      .string()
      .meta({ maxLength: 10 })
      .refine(isDay, { error: asIssue(messages.date) })
      .nullish(),
  flag: () =>
    z
      .any()
      .transform((value: unknown, ctx) => {
        if (value === null || value === undefined) return undefined;
        if (value === '1' || value === 'true') return true;
        if (value === '0' || value === 'false') return false;
        ctx.addIssue({ code: 'custom', message: asIssue(messages.boolean) });
        return z.NEVER;
      })
      .optional()
      .meta({ type: 'string', enum: ['1', '0', 'true', 'false'] }),
};

type Filter<Row> = Row extends { values: infer V extends readonly [string, ...string[]] }
  ? ReturnType<typeof filters.oneOf<V>>
  : ReturnType<typeof filters.ids>;

/** Filters for the fields whose rows define one: choices by value, references by id. */
export function filtersOf<R extends FieldRows>(rows: R) {
  const entries = namesWhere(rows, 'filter').map((name) => {
    const row: FieldRow & { values?: readonly [string, ...string[]] } = rows[name] as FieldRow;
    return [name, row.values ? filters.oneOf(row.values) : filters.ids()] as const;
  });
  return Object.fromEntries(entries) as {
    [K in ReturnType<typeof namesWhere<R, 'filter'>>[number]]: Filter<R[K]>;
  };
}

/** Every list: page, size, search, sort, and the list's filters. The first of `sorts` is the default. */
export function listQuery<const S extends readonly string[], F extends z.ZodRawShape>(sorts: S, filterFields: F) {
  const sortBy = z
    .string()
    .transform((value, ctx): S[number] => {
      if (sorts.includes(value)) return value;
      ctx.addIssue({ code: 'custom', message: asIssue(messages.selected) });
      return z.NEVER;
    })
    .meta({ enum: [...sorts] })
    .nullish();
  return z.object({
    page: pageNumber,
    per_page: pageSize,
    search: searched(100).nullish(),
    sort_by: sortBy,
    sort_direction: direction,
    ...filterFields,
  });
}

/** The query of an export: the list's filters, search and sort, the format, and a subset of the columns. */
export const exportQuery = <T extends z.ZodObject>(list: T) =>
  list.omit({ page: true, per_page: true }).extend({
    format: z.enum(['csv', 'xlsx']).nullish(),
    columns: z.string().max(2_000).nullish(),
  });

/** The same for a list exported for people: `words` returns headings and states in the caller's language. */
export const readableExportQuery = <T extends z.ZodObject>(list: T) =>
  exportQuery(list).extend({ headings: z.enum(['keys', 'words']).nullish() });
