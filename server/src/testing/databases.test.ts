import pg from 'pg';
import { expect, inject, test } from 'vitest';
import { cloneDatabase, dropDatabases, emptyDatabase } from './databases.ts';
import type { TestDatabase } from './databases.ts';

/** The databases among these that still exist. */
async function remaining(databases: TestDatabase[]): Promise<string[]> {
  const names = databases.map(({ ownerUrl }) => new URL(ownerUrl).pathname.slice(1));
  const client = new pg.Client({ connectionString: inject('cluster').ownerUrl });
  await client.connect();
  const { rows } = await client.query<{ name: string }>(
    'select datname as name from pg_database where datname = any($1)',
    [names],
  );
  await client.end();
  return rows.map(({ name }) => name);
}

test('databases of a file of tests go, those in use after the next file', async () => {
  const databases = [await cloneDatabase(), await emptyDatabase()] as const;
  const client = new pg.Client({ connectionString: databases[0].appUrl });
  await client.connect();

  await dropDatabases();
  expect(await remaining([...databases])).toEqual([new URL(databases[0].ownerUrl).pathname.slice(1)]);

  await client.end();
  await expect
    .poll(async () => {
      await dropDatabases();
      return remaining([...databases]);
    })
    .toEqual([]);
});
