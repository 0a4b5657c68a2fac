import { messages } from '@tenure/contract';
import { sql } from 'kysely';
import type { Db } from '../db/connect.ts';
import { invalid } from '../http/errors.ts';

/** Refuses unknown companies in a limit to some companies. The `ids` are distinct; null is no limit. */
export async function refuseUnknownCompanies(db: Db, ids: readonly number[] | null | undefined): Promise<void> {
  if (!ids) return;
  const { rows } = await sql`select from entities where id = any(${ids}::bigint[])`.execute(db);
  if (rows.length !== ids.length) throw invalid('entity_ids', messages.unavailable);
}
