import type pg from 'pg';

/**
 * Writes many rows without updating the indexes of their tables row by row: drops those that only speed up queries and
 * rebuilds them at the end; keeps unique ones. Part of the caller's transaction.
 */
export async function withoutIndexes<T>(
  client: pg.PoolClient,
  tables: readonly string[],
  write: () => Promise<T>,
): Promise<T> {
  const { rows: indexes } = await client.query<{ name: string; definition: string }>(
    `select indexrelid::regclass::text as name, pg_get_indexdef(indexrelid) as definition
     from pg_index where indrelid = any($1::text[]::regclass[]) and not indisunique and not indisexclusion`,
    [tables],
  );
  for (const { name } of indexes) await client.query(`drop index ${name}`);
  const written = await write();
  // an index cannot be built while checks of its rows are pending
  await client.query('set constraints all immediate');
  await client.query(`set local maintenance_work_mem = '512MB'`);
  for (const { definition } of indexes) await client.query(definition);
  return written;
}
