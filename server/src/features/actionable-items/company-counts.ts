import type { ActionableKind } from '@tenure/contract';
import { sql } from 'kysely';
import type { Db } from '../../db/connect.ts';
import { kinds } from './kinds.ts';

/** How many tasks of all people in the companies are due within these days, and how many are overdue. */
export async function countDueIn(
  db: Db,
  kind: ActionableKind,
  { entity_ids, days }: { entity_ids: readonly number[] | null; days: number },
): Promise<{ due: number; overdue: number }> {
  const found = kinds.find((one) => one.kind === kind);
  if (!found) throw new Error(`no kind ${kind}`);
  const { rows } = await sql<{ due: number; overdue: number }>`
    with companies as materialized (
      select id, timezone, (now() at time zone timezone)::date as today, probation_lead_days from entities
      where ${entity_ids}::bigint[] is null or id = any(${entity_ids}::bigint[]))
    select count(*) filter (where due between today and today + ${days}::int) as due,
           count(*) filter (where due < today) as overdue
    from (select n.today, ${found.due} as due from companies n join ${found.from} on ${found.columns.entity} = n.id
          where ${found.while}) as found`.execute(db);
  return rows[0] ?? { due: 0, overdue: 0 };
}
