import pg from 'pg';
import { afterAll, expect, test } from 'vitest';
import { cloneDatabase } from '../testing/databases.ts';
import { migrate } from './migrate.ts';
import { listMigrations } from './migration-files.ts';

const { ownerUrl } = await cloneDatabase();
const owner = new pg.Pool({ connectionString: ownerUrl, max: 1 });
afterAll(() => owner.end());

/** Replaces the database's record of its migrations, and returns the record after a start. */
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
  let isDone = false;
  const waiting = migrate(ownerUrl).finally(() => (isDone = true));
  await other.query('set local statement_timeout = 0; select pg_sleep(2.5)');
  expect(isDone).toBe(false);
  await other.query('commit');
  await other.end();
  expect(await waiting).toEqual([]);
  await owner.query(`alter database ${name} reset statement_timeout`);
});

/** The names of all migrations of this release. */
const ownNames = await listMigrations();
const later = '29990101_0000_later.sql';

test('a release goes on where a later one only added, and leaves rights as that one gave them', async () => {
  const { ownerUrl: url, appUrl } = await cloneDatabase();
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query('create table closed_later (id integer)');
  await client.query('insert into schema_migrations (name) values ($1)', [later]);
  const { username: role } = new URL(appUrl);
  expect(await migrate(url, role)).toEqual([]);
  const { rows } = await client.query("select has_table_privilege($1, 'closed_later', 'select') as may", [role]);
  expect(rows).toEqual([{ may: false }]);
  // without a later release, the same start creates them
  await client.query('delete from schema_migrations where name = $1', [later]);
  await migrate(url, role);
  const after = await client.query("select has_table_privilege($1, 'closed_later', 'select') as may", [role]);
  expect(after.rows).toEqual([{ may: true }]);
  await client.end();
});

test('a database from which a later release removed something is refused and stays as it is', async () => {
  const names = [...ownNames, later, '29990101_0000_later.contract.sql'].toSorted();
  expect(await startWith(names)).toEqual({
    refusal:
      'A newer release removed what this one uses (29990101_0000_later.contract.sql). Start the newer release, ' +
      'or restore a backup that this release made',
    names,
  });
});

test('a database between two releases is refused and stays as it is', async () => {
  // contract migrations can come later
  const needed = ownNames.filter((name) => !name.endsWith('.contract.sql'));
  const names = [...needed.slice(0, -1), later];
  expect(await startWith(names)).toEqual({
    refusal:
      `The upgrade to a newer release is not complete (${later} without ${needed.at(-1)}). ` +
      'Run the migrations of the newer release again',
    names,
  });
});

test('a database with another history is refused with what to do, and stays as it is', async () => {
  const names = ['20261121_0001_a.sql', '20261121_0002_b.sql', '20261121_0003_c.sql', '20261121_0004_d.sql'];
  const { refusal, names: after } = await startWith(names);
  expect(refusal).toBe(
    'The database has migrations that this release does not know ' +
      '(20261121_0001_a.sql, 20261121_0002_b.sql, 20261121_0003_c.sql and 1 more). ' +
      'A database from before release 0.1.0 cannot be upgraded: set DATA_DIR or DATABASE_URL to an empty one',
  );
  expect(after).toEqual(names);
});
