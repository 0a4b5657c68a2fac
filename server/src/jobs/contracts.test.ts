import { expect, test } from 'vitest';
import { startApp } from '../testing/app.ts';
import { migrationsWith } from '../testing/migrations.ts';
import { contractSchema } from './contracts.ts';
import { databaseNow } from './task.ts';

const name = '29990101_0000_later.contract.sql';
const folder = await migrationsWith({ [name]: 'drop table removed_later' });
const { owner, deps, database, logged } = await startApp();
await owner.query('create table removed_later ()');

async function run(settings: { MIGRATE?: 'on' | 'off'; DATABASE_MIGRATION_URL?: string }, of?: URL) {
  const config = { ...deps.config, DATABASE_URL: database.appUrl, ...settings };
  await contractSchema({ deps: { ...deps, config }, now: await databaseNow(deps.db) }, of);
  return (await owner.query("select from pg_class where relname = 'removed_later'")).rows.length === 0;
}
const DATABASE_MIGRATION_URL = database.ownerUrl;
const done = () => logged.filter((line) => line.includes('"contract_done"')).map((line) => JSON.parse(line) as object);

test('the job removes what only earlier releases use, as soon as nothing uses it, and says so', async () => {
  expect(await run({ DATABASE_MIGRATION_URL }, folder)).toBe(false);
  await owner.query(
    `insert into processes (id, release, role, host, contracts, beating_since)
     values (gen_random_uuid(), 'later', 'all', 'one', array[$1], now() - interval '1 hour')`,
    [name],
  );
  // without its own contract migrations, and with a database that is only changed manually
  expect(await run({ DATABASE_MIGRATION_URL })).toBe(false);
  expect(await run({ DATABASE_MIGRATION_URL, MIGRATE: 'off' }, folder)).toBe(false);
  expect(done()).toEqual([]);
  expect(await run({ DATABASE_MIGRATION_URL }, folder)).toBe(true);
  expect(done()).toEqual([expect.objectContaining({ migration: name })]);
  await run({ DATABASE_MIGRATION_URL }, folder);
  expect(done()).toHaveLength(1);
});
