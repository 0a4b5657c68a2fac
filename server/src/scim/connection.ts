import { sql } from 'kysely';
import type { RawBuilder, SqlBool } from 'kysely';
import type { Acting } from '../audit.ts';
import type { Db } from '../db/connect.ts';

/** The connection of an identity provider that a request came through. */
export type Connection = {
  id: number;
  name: string;
  /** The account that it acts with. */
  user_id: number;
  is_dry_run: boolean;
  /** The companies whose people it reaches; null for all. */
  entity_ids: number[] | null;
  provider_id: number | null;
  unmatched: 'stage' | 'refuse';
};

/** What a request did, for the connection's log: names only, no values. */
export type Note = {
  target: string | null;
  effect: Effect | null;
  changed: string[];
  ignored: string[];
  user_id: number | null;
};

export const effects = [
  'adopted',
  'staged',
  'updated',
  'unchanged',
  'sign_in_blocked',
  'sign_in_allowed',
  'out_of_reach',
  'removed',
] as const;
export type Effect = (typeof effects)[number];

export const newNote = (): Note => ({ target: null, effect: null, changed: [], ignored: [], user_id: null });

/** What processing a request needs. */
export type Call = {
  db: Db;
  connection: Connection;
  acting: Acting;
  /** The address with which the addresses of resources start. */
  base: string;
  note: Note;
};

/** The enabled connection of an account. */
export async function findConnection(db: Db, userId: number): Promise<Connection | undefined> {
  const { rows } = await sql<Connection>`
    select c.id, c.name, c.user_id, c.is_dry_run, c.entity_ids, c.provider_id, c.unmatched
    from scim_connections c where c.user_id = ${userId} and c.is_enabled`.execute(db);
  return rows[0];
}

/** True for a person whom the connection reaches. */
export const isReached = (
  { entity_ids }: Pick<Connection, 'entity_ids'>,
  alias: 'e' | 'm' = 'e',
): RawBuilder<SqlBool> => {
  const of = (column: string) => sql.ref(`${alias}.${column}`);
  return sql<SqlBool>`(${of('id')} is not null and ${of('deleted_at')} is null
    and (${entity_ids}::bigint[] is null or ${of('entity_id')} = any(${entity_ids}::bigint[])))`;
};
