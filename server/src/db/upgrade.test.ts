import pg from 'pg';
import { afterAll, describe, expect, test, vi } from 'vitest';
import { cloneDatabase } from '../testing/databases.ts';
import { migrationsWith } from '../testing/migrations.ts';
import { applyMigration } from './apply-migration.ts';
import { applyContracts } from './contracts.ts';
import { migrate } from './migrate.ts';

/** Migrations of a later release: on a database in use, with refused locks, and with a lost connection. */

const { ownerUrl } = await cloneDatabase();
const owner = new pg.Pool({ connectionString: ownerUrl, max: 3 });
afterAll(() => owner.end());
const rowsOf = async (text: string) => (await owner.query<Record<string, unknown>>(text)).rows;
const columns = async () =>
  (
    await rowsOf(`select attname from pg_attribute where attrelid = 'entities'::regclass and attname like 'later_%'
                  and not attisdropped order by 1`)
  ).map(({ attname }) => attname);
const indexes = () =>
  rowsOf(`select c.relname as name, i.indisvalid as valid from pg_index i join pg_class c on c.oid = i.indexrelid
          where c.relname like 'later_%' order by 1`);
const applied = async () =>
  (await rowsOf("select name from schema_migrations where name like '2999%' order by 1")).map(({ name }) => name);

// a statement at which the migration loses its connection, if the test wants it
await owner.query(`
  create table dies (place integer);
  create function die(here integer) returns void language plpgsql as $$ begin
    if exists (select from dies where place = here) then perform pg_terminate_backend(pg_backend_pid()); end if;
  end $$`);

/** Interrupts the work at each place and checks what is left. */
async function cutOff(places: readonly number[], work: () => Promise<unknown>, look: () => Promise<void>) {
  for (const place of places) {
    await owner.query('insert into dies values ($1)', [place]);
    await expect(work()).rejects.toThrow('failed');
    await owner.query('truncate dies');
    await look();
  }
}

const expand = '29990101_0000_later.sql';
const online = '29990101_0000_later.online.sql';
const contract = '29990101_0000_later.contract.sql';
const texts = {
  [expand]: `
    select die(1); alter table entities add column later_a integer;
    select die(2); alter table entities add column later_b integer; select die(3);`,
  [online]: `
    select die(4); create index concurrently if not exists later_a_idx on entities (later_a);
    select die(5); create index concurrently if not exists later_b_idx on entities (later_b); select die(6);`,
  [contract]: `
    select die(7); alter table entities drop column later_a;
    select die(8); alter table entities drop column later_b; select die(9);`,
};
const folderOf = (...names: (keyof typeof texts)[]) =>
  migrationsWith(Object.fromEntries(names.map((name) => [name, texts[name]])));

describe('a migration whose connection is cut off at any statement', () => {
  test('leaves nothing where it is an expand migration, and is applied by the next start', async () => {
    const folder = await folderOf(expand);
    const work = () => migrate(ownerUrl, undefined, { folder });
    await cutOff([1, 2, 3], work, async () => expect([await columns(), await applied()]).toEqual([[], []]));
    expect(await work()).toEqual([expand]);
    expect(await columns()).toEqual(['later_a', 'later_b']);
  });

  test('is run again from its beginning where it is an online migration', async () => {
    const folder = await folderOf(expand, online);
    const work = () => migrate(ownerUrl, undefined, { folder });
    const built: number[] = [];
    await cutOff([4, 5, 6], work, async () => {
      built.push((await indexes()).length);
      expect(await applied()).toEqual([expand]);
    });
    expect(built).toEqual([0, 1, 2]);
    expect(await work()).toEqual([online]);
    expect(await indexes()).toEqual([
      { name: 'later_a_idx', valid: true },
      { name: 'later_b_idx', valid: true },
    ]);
  });

  test('leaves nothing where it is a contract, which no start applies', async () => {
    const folder = await folderOf(expand, online, contract);
    expect(await migrate(ownerUrl, undefined, { folder })).toEqual([]);
    await owner.query(
      `insert into processes (id, release, role, host, contracts, beating_since)
       values (gen_random_uuid(), 'later', 'all', 'one', array[$1], now() - interval '1 hour')`,
      [contract],
    );
    const work = () => applyContracts(ownerUrl, folder);
    await cutOff([7, 8, 9], work, async () => expect(await columns()).toEqual(['later_a', 'later_b']));
    expect(await work()).toEqual({ applied: [contract] });
    expect([await columns(), await work()]).toEqual([[], { applied: [] }]);
  });
});

test('an online migration can be part of a restore, which is one transaction', async () => {
  const { ownerUrl: url } = await cloneDatabase();
  const name = '29990101_0000_alone.online.sql';
  const folder = await migrationsWith({
    [name]: 'create index concurrently if not exists later_idx on entities (name)',
  });
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query('begin');
  await applyMigration(client, name, folder);
  await client.query('commit');
  const { rows } = await client.query("select indisvalid from pg_index where indexrelid = 'later_idx'::regclass");
  expect(rows).toEqual([{ indisvalid: true }]);
  await client.end();
});

test('an index whose building failed is built anew, though it is there', async () => {
  const name = '29990102_0000_unique.online.sql';
  const folder = await migrationsWith({
    ...texts,
    [name]: 'create unique index concurrently if not exists later_names_idx on later_names (name)',
  });
  await owner.query("create table later_names (name text); insert into later_names values ('twice'), ('twice')");
  const work = () => migrate(ownerUrl, undefined, { folder });
  await expect(work()).rejects.toThrow(`Migration ${name} failed`);
  expect(await indexes()).toEqual([{ name: 'later_names_idx', valid: false }]);
  await owner.query("delete from later_names where ctid = '(0,1)'");
  expect(await work()).toEqual([name]);
  expect(await indexes()).toEqual([{ name: 'later_names_idx', valid: true }]);
});

test('an index is built while another node waits for its turn to migrate', async () => {
  const { ownerUrl: url } = await cloneDatabase();
  const name = '29990101_0000_alone.online.sql';
  const folder = await migrationsWith({
    [name]: 'select pg_sleep(0.5); create index concurrently if not exists later_a_idx on entities (name)',
  });
  const both = await Promise.all([1, 2].map(() => migrate(url, undefined, { folder })));
  expect(both.flat()).toEqual([name]);
});

test('a migration that gets no lock in a moment lets requests pass, and tries again', async () => {
  const name = '29990103_0000_busy.sql';
  const unique = { '29990102_0000_unique.online.sql': 'select 1' };
  const folder = await migrationsWith({ ...texts, ...unique, [name]: 'alter table roles add column later_note text' });
  const reader = await owner.connect();
  await reader.query('begin; lock table roles in access share mode');
  const waits = () =>
    rowsOf(`select from pg_locks where relation = 'roles'::regclass and not granted and mode = 'AccessExclusiveLock'
      and database = (select oid from pg_database where datname = current_database())`);
  const migrating = migrate(ownerUrl, undefined, { folder });
  await vi.waitUntil(async () => (await waits()).length > 0, { timeout: 20_000, interval: 10 });
  // it released the lock by itself
  await vi.waitUntil(async () => (await waits()).length === 0, { timeout: 20_000, interval: 10 });
  expect(await rowsOf('select name from roles limit 1')).toHaveLength(1);
  await vi.waitUntil(async () => (await waits()).length > 0, { timeout: 20_000, interval: 10 });
  await reader.query('commit');
  reader.release();
  expect(await migrating).toEqual([name]);
});

test('a new database has no earlier release, so that contracts are applied at once', async () => {
  const { ownerUrl: url } = await cloneDatabase();
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query('drop schema public cascade; drop schema graphile_worker cascade; create schema public');
  await client.query('create function die(integer) returns void language sql as $$ select $$');
  const done = await migrate(url, undefined, { folder: await folderOf(expand, online, contract) });
  expect(done.slice(-3)).toEqual([expand, online, contract]);
  await client.end();
});
