import { mkdir, mkdtemp, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { requireFreeBytes } from '../server/src/backup/restore-embedded.ts';
import { cloneDatabase } from '../server/src/testing/databases.ts';
import type { TestDatabase } from '../server/src/testing/databases.ts';
import { emptyDatabase } from '../server/src/testing/databases.ts';
import { freePort } from '../server/src/testing/free-port.ts';
import {
  asOwner,
  asOwnerIn,
  chainFaultsOf,
  contentOf,
  runCommand,
  stateOf,
} from '../server/src/testing/moves-of-databases.ts';
import { signIn } from '../server/src/testing/remote.ts';
import { admin, ownerUrlOf, spawnService, startProcess } from '../server/src/testing/service-process.ts';
import type { ServiceProcess } from '../server/src/testing/service-process.ts';
import { seedEvaluations } from './seed-evaluations.ts';
import { seedPeople } from './seed-people.ts';

/** The command as people run it, on databases with people. */

const long = 900_000;
let root: string;
let dataDir: string;
let service: ServiceProcess;

const addJob = `select graphile_worker.add_job('publish_kpi_cycle', '{"id":7}', queue_name => 'cycles',
  run_at => now() + interval '1 day', max_attempts => 9, job_key => 'publish 7')`;

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'tenure-move-'));
  dataDir = join(root, 'data');
  service = await startProcess({ dataDir, port: await freePort() });
  const pool = new pg.Pool({ connectionString: await ownerUrlOf(dataDir), max: 1 });
  await seedPeople(pool, { employees: 60 });
  await seedEvaluations(pool);
  await pool.query(addJob);
  await pool.end();
}, long);

afterAll(async () => {
  await service.stop();
  await rm(root, { recursive: true, force: true });
});

const externally = ({ appUrl, ownerUrl }: TestDatabase) => ({
  DATABASE_URL: appUrl,
  DATABASE_MIGRATION_URL: ownerUrl,
});

const move = (args: string[], settings: Record<string, string> = {}) =>
  runCommand('move-database', args, { settings: { DATA_DIR: dataDir, ...settings } });

const to = ({ appUrl, ownerUrl }: TestDatabase) => ['--to', appUrl, '--owner-url', ownerUrl];

/** The one line of a service that does not start. */
async function refusedStart(settings: Record<string, string> = {}): Promise<string | undefined> {
  const refused = spawnService({ dataDir, port: await freePort(), settings });
  expect(await refused.ended).toBe(1);
  return refused.lines.find((line) => !line.startsWith('{'));
}

const oneLine = /^[^\n]+\n$/;

/** What a refused move says, in one line. */
async function refusalOf(args: string[], settings: Record<string, string> = {}): Promise<string> {
  const { code, err } = await move(args, settings);
  expect([code, err]).toEqual([1, expect.stringMatching(oneLine)]);
  return err;
}

describe('beside the running service', () => {
  test(
    'a move is refused, and --check says what would be moved',
    async () => {
      const target = await emptyDatabase();
      expect(await refusalOf(to(target))).toContain(
        `is in use by another Tenure service (process ${service.child.pid})`,
      );
      const { code, out, err } = await move([...to(target), '--check']);
      expect([code, err]).toEqual([0, '']);
      expect(out).toContain('Nothing was changed.');
      expect(out).toContain('The service is running: stop it before the move.');
      expect(await asOwner(target, stateOf)).toBe('empty');
    },
    long,
  );
});

describe('a stopped service', () => {
  beforeAll(() => service.stop());

  test.each([
    [['--nonsense'], 'Unknown option'],
    [[], 'Give the new location with --to URL or --to embedded.'],
    [['--to', 'db.example'], '--to must be an address such as postgres://'],
    [['--to', 'postgres://a@b/c', '--owner-url', 'x'], '--owner-url must be an address such as postgres://'],
    [['--to', 'embedded', '--owner-url', 'postgres://a@b/c'], 'leave --owner-url out'],
    [['--to', 'embedded'], 'The settings already use the embedded database'],
    [['--unmark', '--check'], 'Give --unmark alone'],
    [['--unmark'], 'was not moved, so there is nothing to unmark'],
    [['--to', 'postgres://tenure:x@127.0.0.1:1/tenure'], 'The database does not answer (connect ECONNREFUSED'],
  ])(
    '%j is refused in one line',
    async (args, says) => {
      expect(await refusalOf(args)).toContain(says);
    },
    long,
  );

  test(
    'a database that is not there, not empty, not one, or not for these roles is refused and left as it is',
    async () => {
      const [target, other, used] = [await emptyDatabase(), await emptyDatabase(), await cloneDatabase()];
      expect(await refusalOf(to(used))).toMatch(/contains tables: give the address of an empty database\.$/m);
      expect(await refusalOf(['--to', target.appUrl, '--owner-url', other.ownerUrl])).toContain(
        'lead to different databases: give two addresses of the same one.',
      );
      expect(await refusalOf(['--to', target.appUrl])).toMatch(/tenure_app cannot create tables and schemas/);
      expect(await refusalOf(to(target), externally(target))).toMatch(
        /^--to is .*, the database of the settings: give/,
      );
      expect(await asOwner(target, stateOf)).toBe('empty');
      expect(await asOwner(used, stateOf)).toBe('in use');
      expect(await asOwnerIn(dataDir, stateOf)).toBe('in use');
    },
    long,
  );

  test('a disk without room is refused', async () => {
    await expect(requireFreeBytes(tmpdir(), 1e18, 'move')).rejects.toThrow('but the move needs about');
  });

  test(
    'a database that a process uses is refused, also where no connection tells of it',
    async () => {
      const [source, target] = [await cloneDatabase(), await emptyDatabase()];
      const settings = externally(source);
      const user = new pg.Client(source.appUrl);
      await user.connect();
      expect(await refusalOf(to(target), settings)).toMatch(/^This database is in use \(1 connection/);
      await user.end();
      const process = `insert into processes (id, release, role, host, contracts) values (gen_random_uuid(), '1.0.0', 'api', 'web-1', '{}')`;
      await asOwner(source, (client) => client.query(process));
      expect(await refusalOf(to(target), settings)).toMatch(/^A process of Tenure \(ROLE=api on web-1\) was seen/);
      expect(await asOwner(target, stateOf)).toBe('empty');
    },
    long,
  );
});

let external: TestDatabase;

/** WAL that a service with BACKUP_WAL had not sent yet. */
async function leaveWal() {
  await mkdir(join(dataDir, 'wal-spool'));
  await writeFile(join(dataDir, 'wal-spool', '000000010000000000000007'), 'a segment');
  await writeFile(join(dataDir, 'wal-state.json'), JSON.stringify({ last: null, gap: null }));
}

/** A cluster that was upgraded more than a week ago. */
async function leaveUpgraded() {
  const folder = join(dataDir, 'postgres-17.kept');
  await mkdir(folder);
  const then = new Date(Date.now() - 8 * 86_400_000);
  await utimes(folder, then, then);
}

const leftIn = async (folder: string) =>
  (await readdir(folder)).filter((name) => name.startsWith('wal-') || name.endsWith('.kept'));

test(
  'embedded to external: the same rows, numbers that go on, jobs and sign-in; the former one does not start',
  async () => {
    await service.stop();
    const before = await asOwnerIn(dataDir, contentOf);
    await leaveWal();
    await leaveUpgraded();
    external = await emptyDatabase();
    const { code, out, err } = await move(to(external));
    expect([code, err]).toEqual([0, '']);
    expect(await leftIn(dataDir)).toEqual(['postgres-17.kept']);
    expect(out).toMatch(/^Copied \d+ tables with \d+ rows: number and sum of each table are the same\.$/m);
    expect(out).toContain('Pending jobs that the service will run: 1');
    expect(out).toContain(`APP_KEY_FILE=${join(dataDir, 'app.key')}`);
    const name = new URL(external.appUrl).pathname;
    expect(out).toMatch(new RegExp(`DATABASE_URL=postgres://tenure_app:…@.*${name} `));
    for (const secret of [new URL(external.appUrl).password, new URL(external.ownerUrl).password])
      expect(out).not.toContain(secret);
    expect(out).not.toContain((await readFile(join(dataDir, 'app.key'), 'utf8')).trim());
    expect(await asOwner(external, contentOf)).toEqual(before);

    expect(await refusedStart()).toMatch(
      new RegExp(`^This database was moved to the database ${name.slice(1)} on .*move-database --unmark`),
    );
    const settings = { ...externally(external), APP_KEY_FILE: join(dataDir, 'app.key') };
    service = await startProcess({ dataDir, port: await freePort(), settings });
    expect(await leftIn(dataDir)).toEqual([]);
    expect((await (await signIn(service.address, admin)).get('/api/me')).status).toBe(200);
    const next = `insert into users (email) values ('next@acme.example')
                  returning id, id > (select max(id) from users) as "goesOn"`;
    const { rows } = await asOwner(external, (client) => client.query(next));
    expect(rows[0]).toMatchObject({ goesOn: true });
    expect(await chainFaultsOf(external.ownerUrl)).toEqual([]);
    expect(await service.stop()).toBe(0);
  },
  long,
);

test(
  'and back: the cluster that was moved away is kept, and the external one does not start',
  async () => {
    const before = await asOwner(external, contentOf);
    const settings = externally(external);
    const checked = await move(['--to', 'embedded', '--check'], settings);
    expect(checked).toMatchObject({ code: 0, err: '' });
    await leaveWal();
    const { code, out, err } = await move(['--to', 'embedded'], settings);
    expect([code, err]).toEqual([0, '']);
    expect(await leftIn(dataDir)).toEqual([]);
    expect(out).toContain('remove DATABASE_URL, DATABASE_MIGRATION_URL');
    const names = await readdir(dataDir);
    expect(names).not.toContain('move');
    expect(names.filter((name) => /^postgres\.before-\d{8}T\d{6}Z$/.test(name))).toHaveLength(1);
    expect(await asOwnerIn(dataDir, contentOf)).toEqual(before);
    expect(await refusedStart(settings)).toMatch(/^This database was moved to the embedded database in /);
    service = await startProcess({ dataDir, port: await freePort() });
    expect((await (await signIn(service.address, admin)).get('/api/me')).status).toBe(200);
    expect(await chainFaultsOf(await ownerUrlOf(dataDir))).toEqual([]);
    expect(await service.stop()).toBe(0);
  },
  long,
);

test(
  'a DATA_DIR whose database is in use is refused; a former one can be used again',
  async () => {
    const settings = externally(external);
    // as a process without rights to migrate starts
    expect(await refusedStart({ ...settings, MIGRATE: 'off' })).toContain('This database was moved to');
    expect(
      await runCommand('backup', ['--to', join(dataDir, 'backups')], { settings: { DATA_DIR: dataDir, ...settings } }),
    ).toMatchObject({
      code: 1,
      err: expect.stringContaining('This database was moved to'),
    });
    expect(await refusalOf(to(await emptyDatabase()), settings)).toMatch(
      /was moved to .*run the command with --unmark first/,
    );
    const { code, out } = await move(['--unmark'], settings);
    expect([code, out]).toEqual([0, expect.stringContaining('use only one of them')]);
    expect(await refusalOf(['--to', 'embedded'], settings)).toMatch(/contains a database: choose another DATA_DIR/);
    expect(await asOwner(external, stateOf)).toBe('in use');
    service = await startProcess({ dataDir, port: await freePort(), settings });
    expect(await service.stop()).toBe(0);
  },
  long,
);

/** Connections of what ended a moment ago are still closed by the server. */
async function isUnused(client: pg.Client): Promise<boolean> {
  const { rowCount } = await client.query(
    'select from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
  );
  return rowCount === 0;
}

/** Keeps the move from its last step, and resolves when only that is left. */
async function holdLastStep(source: TestDatabase, target: TestDatabase, client: pg.Client) {
  await client.connect();
  await vi.waitUntil(async () => (await stateOf(client)) === 'unfinished', { timeout: long });
  await client.query('begin; lock table unfinished_restore in access share mode');
  await vi.waitUntil(async () => (await asOwner(source, stateOf)) === 'moved away', { timeout: long });
}

test(
  'killed between the mark and the end, neither starts until the command is repeated',
  async () => {
    const [source, target] = [await cloneDatabase(), await emptyDatabase()];
    await asOwner(source, (client) => client.query(addJob));
    const before = await asOwner(source, contentOf);
    const client = new pg.Client({ connectionString: target.ownerUrl });
    const killed = await runCommand('move-database', to(target), {
      settings: { DATA_DIR: dataDir, ...externally(source) },
      killAt: 'Tables built',
      before: () => holdLastStep(source, target, client),
    });
    expect(killed).toMatchObject({ code: null, err: '' });
    // the server goes on with a statement whose client is gone
    await client.query(
      `select pg_terminate_backend(pid, 10000) from pg_stat_activity
       where datname = current_database() and query like 'drop table%'`,
    );
    await client.end();
    expect([await asOwner(source, stateOf), await asOwner(target, stateOf)]).toEqual(['moved away', 'unfinished']);
    for (const MIGRATE of ['on', 'off'])
      expect(await refusedStart({ ...externally(target), MIGRATE })).toMatch(
        /was interrupted\. Repeat the command .* move-database$/,
      );
    await vi.waitUntil(() => asOwner(source, isUnused), { timeout: long });
    expect(await move(to(target), externally(source))).toMatchObject({ code: 0, err: '' });
    expect([await asOwner(source, stateOf), await asOwner(target, stateOf)]).toEqual(['moved away', 'in use']);
    expect(await asOwner(target, contentOf)).toEqual(before);
  },
  long,
);
