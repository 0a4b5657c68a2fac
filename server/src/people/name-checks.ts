import { sql } from 'kysely';
import type { Db } from '../db/connect.ts';

/** A shown name and its person; null for a new person. */
type ShownName = { person: number | null; shown: string | null; first_name: string | null; last_name: string | null };

type Named = Omit<ShownName, 'person' | 'shown'> & { id: number; display_name: string | null };
/** The names that people show now or showed before. */
export const shownBy = (people: readonly Named[]): ShownName[] =>
  people
    .filter(({ display_name }) => display_name !== null)
    .map(({ id, display_name, first_name, last_name }) => ({ person: id, shown: display_name, first_name, last_name }));

const namesOf = (names: readonly ShownName[]) => sql`
  rows from (jsonb_to_recordset(${JSON.stringify(names)}::jsonb)
    as (person bigint, shown text, first_name text, last_name text)) with ordinality
    as t (person, shown, first_name, last_name, place)`;

/**
 * Locks names until the end of the transaction. The database locks the name of each written row; code that writes
 * several rows locks all names first, so that writers never deadlock.
 */
export async function lockNames(db: Db, names: readonly ShownName[]): Promise<void> {
  if (names.length === 0) return;
  await sql`
    select hold_names(array(select name_turn(t.shown, t.first_name, t.last_name) from ${namesOf(names)}))`.execute(db);
}

/** True for each name that another active person shows or has. */
export async function takenNames(db: Db, names: readonly ShownName[]): Promise<boolean[]> {
  if (names.length === 0) return [];
  const { rows } = await sql<{ is_taken: boolean }>`
    select is_name_taken(t.person, t.shown, t.first_name, t.last_name) as is_taken
    from ${namesOf(names)} order by t.place`.execute(db);
  return rows.map(({ is_taken }) => is_taken);
}
