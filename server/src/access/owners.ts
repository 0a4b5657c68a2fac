import { messages } from '@tenure/contract';
import { sql } from 'kysely';
import type { Db } from '../db/connect.ts';
import { invalid } from '../http/errors.ts';

/** Owners of a service account or SCIM connection: people who are notified about its tokens. */

/** The owners of a row, as answers show them. */
export const ownersIn = (column: 'c.owner_ids') => sql`
  array(select json_build_object('user_id', o.id, 'name', coalesce(p.name, o.email))
        from users o left join employees p on p.user_id = o.id where o.id = any(${sql.ref(column)}) order by o.id) as owners`;

/** Sorted, without duplicates. Throws 422 on `owner_ids` for one who cannot sign in and so is never notified. */
export async function checkedOwners(db: Db, ids: readonly number[]): Promise<number[]> {
  const { rows } = await sql<{ user_id: number }>`
    select user_id from reachable_users where user_id = any(${ids}::bigint[])`.execute(db);
  const known = new Set(rows.map(({ user_id }) => user_id));
  if (ids.some((id) => !known.has(id))) throw invalid('owner_ids', messages.unavailable);
  return [...known].toSorted((a, b) => a - b);
}
