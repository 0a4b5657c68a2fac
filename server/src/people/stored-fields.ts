import { employeeRows, isStored } from '@tenure/contract';
import type { ComputedName, FieldGroup, FieldRow } from '@tenure/contract';
import { sql } from 'kysely';
import type * as z from 'zod';

type Rows = typeof employeeRows;
/** Fields of an answer that are computed or differ from their column. */
type Made = 'display_name' | 'bank' | ComputedName<Rows>;
/** Fields of a group shown as stored. */
export type Stored<G extends FieldGroup> = Exclude<
  { [K in keyof Rows]: Rows[K] extends { group: G } ? K : never }[keyof Rows],
  Made
>;

const isMade = (name: string, row: FieldRow) => name === 'display_name' || name === 'bank' || !isStored(row);

const stored = <G extends FieldGroup>(group: G) =>
  Object.entries(employeeRows).flatMap(([name, row]) =>
    row.group === group && !isMade(name, row) ? [name as Stored<G>] : [],
  );

const storedFields = { card: stored('card'), work: stored('work'), private: stored('private') };

/** The names of the columns of field groups. */
export const columnNamesOf = (...groups: FieldGroup[]): string[] =>
  groups.flatMap((group): string[] => storedFields[group]);

/** Columns of field groups; `e` is the person. */
export const columnsOf = (...groups: FieldGroup[]) =>
  sql.join(columnNamesOf(...groups).map((field) => sql.ref(`e.${field}`)));

/** Typed as in the contract: table constraints restrict choices to its values. */
type Shown<G extends FieldGroup> = { [K in Stored<G>]: Exclude<z.output<Rows[K]['output']>, undefined> };

/** The fields of a group shown as stored, from a row with their columns. */
export function storedOf<G extends FieldGroup, R extends Record<Stored<G>, unknown>>(group: G, row: R): Shown<G> {
  const shown: Record<string, unknown> = {};
  for (const name of storedFields[group] as (keyof R & string)[]) shown[name] = row[name];
  return shown as Shown<G>;
}
