import pg from 'pg';
import { afterAll, expect, test, vi } from 'vitest';
import { cloneDatabase } from '../testing/app.ts';
import { migrate } from './migrate.ts';

const { ownerUrl } = await cloneDatabase();
const owner = new pg.Pool({ connectionString: ownerUrl, max: 1 });
afterAll(() => owner.end());

/** Replaces what the database says of its migrations, and gives back what it says after a start. */
async function startWith(names: readonly string[]) {
  await owner.query('truncate schema_migrations');
  await owner.query('insert into schema_migrations (name) select unnest($1::text[])', [names]);
  const refusal: unknown = await migrate(ownerUrl).catch((error: Error) => error.message);
  const { rows } = await owner.query<{ name: string }>('select name from schema_migrations order by name');
  return { refusal, names: rows.map(({ name }) => name) };
}

test('a database of this release has nothing left to apply', async () => {
  expect(await migrate(ownerUrl)).toEqual([]);
});

test('a start waits for another one that migrates, however short the statements of its role may be', async () => {
  const other = new pg.Client({ connectionString: ownerUrl });
  await other.connect();
  await other.query('begin; select pg_advisory_xact_lock(7365041)');
  const name = new URL(ownerUrl).pathname.slice(1);
  await owner.query(`alter database ${name} set statement_timeout = '2s'`);
  const waiting = migrate(ownerUrl);
  const waits =
    "select 1 from pg_locks where locktype = 'advisory' and not granted and database = (select oid from pg_database where datname = current_database())";
  await vi.waitUntil(async () => (await owner.query(waits)).rows.length > 0, { timeout: 10_000 });
  await other.query('select pg_sleep(2.5)');
  await other.query('commit');
  await other.end();
  expect(await waiting).toEqual([]);
  await owner.query(`alter database ${name} reset statement_timeout`);
});

test('a database of a newer release is refused and stays as it is', async () => {
  const { rows } = await owner.query<{ name: string }>('select name from schema_migrations order by name');
  const names = [...rows.map(({ name }) => name), '29990101_0000_later.sql'];
  expect(await startWith(names)).toEqual({
    refusal: 'The database was migrated by a newer release (29990101_0000_later.sql)',
    names,
  });
});

test('a database with another history is refused with what to do, and stays as it is', async () => {
  const names = ['20261121_0001_a.sql', '20261121_0002_b.sql', '20261121_0003_c.sql', '20261121_0004_d.sql'];
  const { refusal, names: after } = await startWith(names);
  expect(refusal).toBe(
    'The database was made by migrations that this release does not know ' +
      '(20261121_0001_a.sql, 20261121_0002_b.sql, 20261121_0003_c.sql and 1 more). ' +
      'A database from before release 0.1.0 cannot be updated: start with an empty one, by another DATA_DIR or DATABASE_URL',
  );
  expect(after).toEqual(names);
});
