import { employeeInput, fieldsWithParts } from '@tenure/contract';
import type * as z from 'zod';
import { unmaskBank } from './bank.ts';
import type { StoredEmployee } from './stored-columns.ts';

type Input = z.output<z.ZodObject<typeof employeeInput>>;

export type Field = keyof Input;
/** Fields as sent: an absent field keeps its value, null clears it. */
export type Sent = { [F in Field]?: Input[F] | null | undefined };
/** A complete set of fields as stored; null for empty or unknown ones. */
export type Values = { [F in Field]: Exclude<Input[F], undefined> | null };

export const employeeFields = Object.keys(employeeInput) as Field[];

type Nested = (typeof fieldsWithParts)[number]['field'];
const inner = Object.fromEntries(
  fieldsWithParts.map(({ field, columns }) => [field, columns.map(({ part }) => part)]),
) as Record<Nested, string[]>;
type Texts = Record<string, string | null | undefined>;

const isNested = (field: Field): field is Nested => field in inner;

/** Sorts the keys of a nested field; null when all are empty. */
function complete(field: Nested, value: Texts | null): Texts | null {
  if (!value || inner[field].every((key) => (value[key] ?? null) === null)) return null;
  return Object.fromEntries(inner[field].map((key) => [key, value[key] ?? null]));
}

function mergeNested(field: Nested, stored: Texts | null, sent: Texts | null): Texts | null {
  if (sent === null) return null;
  const meant: Texts = field === 'bank' ? unmaskBank(sent, stored) : sent;
  const known = Object.fromEntries(Object.entries(meant).filter(([, value]) => value !== undefined));
  return complete(field, { ...stored, ...known });
}

/** True when two values of a field are equal. */
export const isSame = (a: unknown, b: unknown): boolean =>
  a === b || (typeof a === 'object' && typeof b === 'object' && JSON.stringify(a) === JSON.stringify(b));

/** The stored values of a record as form fields. */
export function valuesOf(record: Pick<StoredEmployee, Field>): Values {
  const values = Object.fromEntries(
    employeeFields.map((field) => [field, isNested(field) ? complete(field, record[field]) : record[field]]),
  );
  return values as Values;
}

export const emptyValues = Object.fromEntries(employeeFields.map((field) => [field, null])) as Values;

/** Merges sent fields into `stored`; objects merge key by key. */
export function merge(stored: Values, sent: Sent): Values {
  const merged: Record<string, unknown> = { ...stored };
  for (const field of employeeFields) {
    const value = sent[field];
    if (value === undefined) continue;
    merged[field] = isNested(field) ? mergeNested(field, stored[field], value as Texts | null) : value;
  }
  return { ...(merged as Values), display_name: ownDisplayName(stored, merged as Values) };
}

const fullName = ({ first_name, last_name }: Values) => `${first_name} ${last_name}`;

/** Clears a display name that equals first and last name, so that it follows their changes. */
function ownDisplayName(stored: Values, merged: Values): string | null {
  const { display_name } = merged;
  const shown = stored.display_name === null && display_name === fullName(stored);
  return shown || display_name === fullName(merged) ? null : display_name;
}
