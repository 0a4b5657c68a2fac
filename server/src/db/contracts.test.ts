import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { startApp } from '../testing/app.ts';
import { migrationsWith } from '../testing/migrations.ts';
import { canRun, requireSchema } from './check-schema.ts';
import { applyContracts } from './contracts.ts';
import { listMigrations } from './migration-files.ts';

const name = '29990101_0000_later.contract.sql';
const folder = await migrationsWith({ [name]: 'drop table removed_later' });
const { owner, deps, database } = await startApp();
const applied = async () =>
  (await owner.query('select from schema_migrations where name = $1', [name])).rows.length > 0;
const contract = () => applyContracts(database.ownerUrl, folder);

beforeEach(async () => {
  await owner.query('truncate processes');
  await owner.query('drop table if exists removed_later');
  await owner.query('create table removed_later ()');
  await owner.query('delete from schema_migrations where name = $1', [name]);
});

type Process = { knows: boolean; seen: number; beating?: number };

/** Adds a process; `seen` and `beating` are minutes ago. */
const add = ({ knows, seen, beating = 60 }: Process) =>
  owner.query(
    `insert into processes (id, release, role, host, contracts, started_at, beating_since, last_seen_at)
     select gen_random_uuid(), $1, 'api', 'one', $2, now() - interval '2 hours', now() - make_interval(mins => $3),
            now() - make_interval(mins => $4)`,
    [knows ? 'later' : 'earlier', knows ? [name] : [], beating, seen],
  );

const waitingFor = (what: string) => ({ applied: [], waiting: `${name} waits for ${what}` });
const [toEnd, toLast] = ['the end of earlier on one', 'ten minutes of the new release'];

test.each([
  ['no process is there', [], toLast],
  ['all processes are of its release', [{ knows: true, seen: 0 }], undefined],
  [
    'one of an earlier release is there',
    [
      { knows: true, seen: 0 },
      { knows: false, seen: 0 },
    ],
    toEnd,
  ],
  [
    'one of an earlier release was seen nine minutes ago',
    [
      { knows: true, seen: 0 },
      { knows: false, seen: 9 },
    ],
    toEnd,
  ],
  [
    'one of an earlier release was seen eleven minutes ago',
    [
      { knows: true, seen: 0 },
      { knows: false, seen: 11 },
    ],
    undefined,
  ],
  ['no process has been there for ten minutes', [{ knows: true, seen: 0, beating: 9 }], toLast],
  [
    'after an outage one of an earlier release could not say that it is there',
    [
      { knows: true, seen: 0, beating: 1 },
      { knows: false, seen: 11 },
    ],
    toLast,
  ],
] satisfies [string, Process[], string | undefined][])('a contract where %s', async (_, processes, waits) => {
  for (const process of processes) await add(process);
  expect(await contract()).toEqual(waits ? waitingFor(waits) : { applied: [name] });
  expect(await applied()).toBe(waits === undefined);
});

test('a contract does not run before the other migrations of its release', async () => {
  const two = await migrationsWith({ [name]: 'drop table removed_later', '29990101_0000_later.sql': 'select 1' });
  expect(await applyContracts(database.ownerUrl, two)).toEqual({ applied: [] });
  expect(await applied()).toBe(false);
});

describe('after a contract', () => {
  test('the release before does not start, and is not ready', async () => {
    await expect(requireSchema(deps.db)).resolves.toBeUndefined();
    await add({ knows: true, seen: 0 });
    await contract();
    await expect(requireSchema(deps.db)).rejects.toThrow(`A newer release removed what this one uses (${name})`);
    const own = await listMigrations();
    expect([canRun([...own, name], own), canRun([...own, '29990101_0000_later.sql'], own)]).toEqual([false, true]);
  });
});

test('while a contract runs no process can begin unseen', async () => {
  const other = new pg.Client({ connectionString: database.ownerUrl });
  await other.connect();
  afterAll(() => other.end());
  await other.query('begin; select pg_advisory_xact_lock(99)');
  const slow = await migrationsWith({ [name]: 'select pg_advisory_xact_lock(99); drop table removed_later' });
  await add({ knows: true, seen: 0 });
  const running = applyContracts(database.ownerUrl, slow);
  const isHeld = `select from pg_locks where relation = 'processes'::regclass and mode = 'ExclusiveLock' and granted
    and database = (select oid from pg_database where datname = current_database())`;
  await vi.waitUntil(async () => (await owner.query(isHeld)).rows.length > 0, { timeout: 20_000, interval: 10 });
  const begun = deps.db.transaction().execute(async (trx) => {
    await sql`set local lock_timeout = '100ms'`.execute(trx);
    await sql`insert into processes (id, release, role, host, contracts)
              values (gen_random_uuid(), 'earlier', 'api', 'one', '{}')`.execute(trx);
  });
  await expect(begun).rejects.toMatchObject({ code: '55P03' });
  await other.query('commit');
  expect(await running).toEqual({ applied: [name] });
});

test('the application may not remove anything', async () => {
  await add({ knows: true, seen: 0 });
  await expect(applyContracts(database.appUrl, folder)).rejects.toThrow(`Migration ${name} failed`);
});
