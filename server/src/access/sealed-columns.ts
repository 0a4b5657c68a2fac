import { sql } from 'kysely';
import type { Transaction } from 'kysely';
import { openSecret, sealSecret } from '../crypto/sealed-column.ts';
import type { KeyRing } from '../crypto/keys.ts';
import type { Db } from '../db/connect.ts';
import type { DB } from '../db/schema.ts';

/**
 * Columns with secrets that must be readable again, sealed under the application key. Each has a partial index over
 * `substr(column, 3, 12)` (the id of the key) and `id`. A column that is not listed here is never resealed, so its
 * values are lost with the key that sealed them.
 */
export const sealedColumns = [
  { table: 'authenticators', column: 'secret' },
  { table: 'chat_targets', column: 'url' },
  { table: 'client_keys', column: 'private_key' },
  { table: 'identity_providers', column: 'client_secret' },
  { table: 'webhooks', column: 'secret' },
  { table: 'webhooks', column: 'previous_secret' },
] as const;
export type SealedColumn = (typeof sealedColumns)[number];

/** Stores the secret of a row. It is sealed for the row's id, so the row must exist first. */
export async function storeSecret(
  db: Db,
  ring: KeyRing,
  { table, column }: SealedColumn,
  id: number,
  secret: Uint8Array,
): Promise<void> {
  const sealed = sealSecret(ring, { table, column, id }, secret);
  await sql`update ${sql.table(table)} set ${sql.ref(column)} = ${sealed} where id = ${id}`.execute(db);
}

/** The secret of a row; null if there is none or it cannot be opened. */
export async function readSecret(db: Db, ring: KeyRing, column: SealedColumn, id: number): Promise<Buffer | null> {
  const { rows } = await sql<{ sealed: string | null }>`
    select ${sql.ref(column.column)} as sealed from ${sql.table(column.table)} where id = ${id}`.execute(db);
  return openValue(ring, column, { id, sealed: rows[0]?.sealed ?? null });
}

/** A secret that was read with its row; null if there is none or it cannot be opened. */
export const openValue = (
  ring: KeyRing,
  { table, column }: SealedColumn,
  { id, sealed }: { id: number; sealed: string | null },
): Buffer | null => (sealed === null ? null : (openSecret(ring, { table, column, id }, sealed)?.plain ?? null));

export type KeyCount = { kid: string; count: number };

const idsOfKeys = sql.join(
  sealedColumns.map(
    ({ table, column }) =>
      sql`select substr(${sql.ref(column)}, 3, 12) as kid from ${sql.table(table)} where ${sql.ref(column)} is not null`,
  ),
  sql` union all `,
);

/** A statement that counts how many values each key seals. */
export const countsByKey = sql`select kid, count(*)::int as count from (${idsOfKeys}) as sealed group by kid`;

/** How many values each key seals; omits keys that seal none. */
export async function countSecrets(db: Db): Promise<KeyCount[]> {
  const { rows } = await sql<KeyCount>`select k.kid, k.count from (${countsByKey}) as k order by k.kid`.execute(db);
  return rows;
}

export type Resealed = { moved: number; unreadable: number; last: number | null };

/**
 * Reseals the next values of a column that other keys sealed, from an id on, under the current key. Skips values that
 * changed meanwhile or cannot be opened. `last` is null after the last of them.
 */
export async function resealSome(
  db: Transaction<DB>,
  ring: KeyRing,
  { table, column }: SealedColumn,
  { after, limit }: { after: number; limit: number },
): Promise<Resealed> {
  const value = sql.ref(column);
  const { rows } = await sql<{ id: number; sealed: string }>`
    select id, ${value} as sealed from ${sql.table(table)}
    where id > ${after} and ${value} is not null and substr(${value}, 3, 12) <> ${ring.current.kid}
    order by id limit ${limit}`.execute(db);
  const found: Resealed = { moved: 0, unreadable: 0, last: rows.length < limit ? null : (rows.at(-1)?.id ?? null) };
  for (const { id, sealed } of rows) {
    const opened = openSecret(ring, { table, column, id }, sealed);
    if (!opened) {
      found.unreadable += 1;
      continue;
    }
    const { numAffectedRows } = await sql`
      update ${sql.table(table)} set ${value} = ${sealSecret(ring, { table, column, id }, opened.plain)}
      where id = ${id} and ${value} = ${sealed}`.execute(db);
    found.moved += Number(numAffectedRows ?? 0n);
  }
  return found;
}
