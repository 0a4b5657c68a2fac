import type pg from 'pg';

/**
 * Writes many rows without keeping the indexes of their tables row by row: those that only make queries fast are dropped
 * and built anew at the end, unique ones stay. Part of the caller's transaction.
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
  // an index is not built over rows whose checks are still to come
  await client.query('set constraints all immediate');
  await client.query(`set local maintenance_work_mem = '512MB'`);
  for (const { definition } of indexes) await client.query(definition);
  return written;
}
