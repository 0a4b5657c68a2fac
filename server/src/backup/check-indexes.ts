import { sql } from 'kysely';
import type { Db } from '../db/connect.ts';

/** How many indexes were checked, and a line for each damaged one. */
export type IndexCheck = { count: number; faults: string[] };

/**
 * Checks every B-tree index with `amcheck`, including that each row is indexed; undefined if the database lacks the
 * extension or the role may not call it. The embedded database has it.
 */
export async function checkIndexes(db: Db): Promise<IndexCheck | undefined> {
  const [indexes, schema] = [await listIndexes(db), await schemaOfAmcheck(db)];
  if (schema === undefined) return undefined;
  const check = sql.id(schema, 'bt_index_check');
  const faults: string[] = [];
  for (const index of indexes)
    await sql`select ${check}(${index}::text::regclass, true)`
      .execute(db)
      .catch((error: Error) => faults.push(`the index ${index} is damaged: ${error.message}`));
  return { count: indexes.length, faults };
}

async function schemaOfAmcheck(db: Db): Promise<string | undefined> {
  const { rows } = await sql<{ schema: string }>`
    select n.nspname::text as schema
    from pg_proc p join pg_namespace n on n.oid = p.pronamespace
    where p.proname = 'bt_index_check' and p.pronargs = 2
      and has_schema_privilege(n.oid, 'usage') and has_function_privilege(p.oid, 'execute')`.execute(db);
  return rows[0]?.schema;
}

async function listIndexes(db: Db): Promise<string[]> {
  const { rows } = await sql<{ index: string }>`
    select i.indexrelid::regclass::text as index
    from pg_index i join pg_class c on c.oid = i.indexrelid join pg_am a on a.oid = c.relam
    where c.relnamespace = current_schema()::regnamespace and c.relkind = 'i' and a.amname = 'btree' and i.indisvalid
    order by 1`.execute(db);
  return rows.map(({ index }) => index);
}
