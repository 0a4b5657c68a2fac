import { sql } from 'kysely';
import type { Db } from '../db/connect.ts';
import type { Grant } from './actor.ts';

/** Reports at any level who have reports of their own; not read without a role for the whole tree. */
export async function loadManagersBelow(
  db: Db,
  userId: number,
  grants: readonly Pick<Grant, 'managed_depth'>[],
): Promise<readonly number[]> {
  if (grants.every(({ managed_depth }) => managed_depth === 'direct')) return [];
  const { rows } = await sql<{ id: number }>`
    select b as id from employees e cross join managers_below(e.id) as b where e.user_id = ${userId} order by b`.execute(
    db,
  );
  return rows.map(({ id }) => id);
}
