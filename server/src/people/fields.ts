import { employeeInput } from '@tenure/contract';
import type * as z from 'zod';
import { unmaskBank } from './bank.ts';
import type { StoredEmployee } from './stored-columns.ts';

type Input = z.output<z.ZodObject<typeof employeeInput>>;

export type Field = keyof Input;
/** Fields as they were sent: an absent one says nothing, null empties. */
export type Sent = { [F in Field]?: Input[F] | null | undefined };
/** A complete set of fields as it is stored; null for what is empty or not known yet. */
export type Values = { [F in Field]: Exclude<Input[F], undefined> | null };

export const employeeFields = Object.keys(employeeInput) as Field[];

const inner = {
  address: ['line1', 'line2', 'city', 'state', 'postal_code', 'country'],
  emergency_contact: ['name', 'relation', 'phone'],
  bank: ['bank_name', 'branch', 'account_title', 'account_number', 'iban'],
} as const;
type Nested = keyof typeof inner;
type Texts = Record<string, string | null | undefined>;

const isNested = (field: Field): field is Nested => field in inner;

/** The same with every key in one order; null when nothing is filled in. */
function complete(field: Nested, value: Texts | null): Texts | null {
  if (!value || inner[field].every((key) => (value[key] ?? null) === null)) return null;
  return Object.fromEntries(inner[field].map((key) => [key, value[key] ?? null]));
}

function mergeNested(field: Nested, stored: Texts | null, sent: Texts | null): Texts | null {
  if (sent === null) return null;
  const meant: Texts = field === 'bank' ? unmaskBank(sent, stored) : sent;
  const told = Object.fromEntries(Object.entries(meant).filter(([, value]) => value !== undefined));
  return complete(field, { ...stored, ...told });
}

/** True when two values of a field mean the same. */
export const isSame = (a: unknown, b: unknown): boolean =>
  a === b || (typeof a === 'object' && typeof b === 'object' && JSON.stringify(a) === JSON.stringify(b));

/** What is stored of a record, as the fields of a form. */
export function valuesOf(record: Pick<StoredEmployee, Field>): Values {
  const values = Object.fromEntries(
    employeeFields.map((field) => [field, isNested(field) ? complete(field, record[field]) : record[field]]),
  );
  return values as Values;
}

export const emptyValues = Object.fromEntries(employeeFields.map((field) => [field, null])) as Values;

/** `stored` with what was sent put over it; objects merge key by key. */
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

/** A display name that only repeats first and last name is none, so that it follows when these change. */
function ownDisplayName(stored: Values, merged: Values): string | null {
  const { display_name } = merged;
  const shown = stored.display_name === null && display_name === fullName(stored);
  return shown || display_name === fullName(merged) ? null : display_name;
}
