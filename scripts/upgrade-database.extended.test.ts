import { existsSync } from 'node:fs';
import { chmod, mkdtemp, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readConfig } from '../server/src/config.ts';
import { startHashPool } from '../server/src/crypto/hash-pool.ts';
import { connect } from '../server/src/db/connect.ts';
import { clusterFolder, loadOrCreateKey } from '../server/src/db/data-dir.ts';
import { startEmbedded } from '../server/src/db/embedded.ts';
import { serverAccount } from '../server/src/db/embedded/account.ts';
import { binariesIn, ownHome } from '../server/src/db/embedded/binaries.ts';
import { createCluster } from '../server/src/db/embedded/create-cluster.ts';
import { migrate } from '../server/src/db/migrate.ts';
import { createFirstAdmin } from '../server/src/features/sessions/first-admin.ts';
import { logTo } from '../server/src/logging.ts';
import { freePort } from '../server/src/testing/free-port.ts';
import { asOwner, asOwnerIn, chainFaultsOf, contentOf, runCommand } from '../server/src/testing/moves-of-databases.ts';
import { signIn } from '../server/src/testing/remote.ts';
import { admin, ownerUrlOf, spawnService, startProcess } from '../server/src/testing/service-process.ts';
import { seedEvaluations } from './seed-evaluations.ts';
import { seedPeople } from './seed-people.ts';

/** The cluster of an earlier major version, as the release of that time made it, with people in it. */

const long = 900_000;
const programs = '/usr/lib/postgresql/15/bin';
const passwords = { owner: 'of-the-owner', app: 'of-the-application' };
let root: string;
let dataDir: string;
let before: Record<string, unknown>;

async function makeOldCluster() {
  const cluster = clusterFolder(dataDir);
  await loadOrCreateKey(dataDir);
  const [account, binaries] = [await serverAccount(cluster), await binariesIn(programs)];
  await createCluster({ cluster, binaries, account, passwords, durable: false });
  await writeFile(join(dataDir, 'database.json'), JSON.stringify(passwords), { mode: 0o600 });
  const database = await startEmbedded({ dataDir, log: logTo('silent'), binaries });
  await migrate(database.ownerUrl, 'tenure_app');
  const { db } = connect({ url: database.appUrl, max: 2 });
  const hashing = startHashPool({ cost: 4 });
  const config = readConfig({ ADMIN_EMAIL: admin.email, ADMIN_PASSWORD: admin.password, DATA_DIR: dataDir });
  await createFirstAdmin({ db, hashing, config }, false);
  await hashing.close();
  await db.destroy();
  const pool = new pg.Pool({ connectionString: database.ownerUrl, max: 1 });
  await seedPeople(pool, { employees: 60 });
  await seedEvaluations(pool);
  await pool.end();
  before = await asOwner(database, contentOf);
  await database.stop();
}

const upgrade = (args: string[] = ['--old-binaries', programs], killAt?: string) =>
  runCommand('upgrade-database', args, { settings: { DATA_DIR: dataDir }, ...(killAt !== undefined && { killAt }) });

const major = async () => Number(await readFile(join(clusterFolder(dataDir), 'PG_VERSION'), 'utf8'));

const oneLine = /^[^\n]+\n$/;

describe.skipIf(!existsSync(join(programs, 'postgres')))('a cluster of PostgreSQL 15', () => {
  beforeAll(async () => {
    root = await mkdtemp(join(tmpdir(), 'tenure-upgrade-'));
    await chmod(root, 0o711);
    dataDir = join(root, 'data');
    await makeOldCluster();
  }, long);
  afterAll(() => rm(root, { recursive: true, force: true }));

  test(
    'is refused by a start, with its size, the time it takes and the command',
    async () => {
      const refused = spawnService({ dataDir, port: await freePort() });
      expect(await refused.ended).toBe(1);
      expect(refused.lines.filter((line) => !line.startsWith('{'))).toEqual([
        expect.stringMatching(
          /postgres was made by PostgreSQL 15, but this release contains PostgreSQL 18\. Nothing was changed\. The command upgrade-database copies its \d+ MB into a new cluster, in about \d+ min: docs\/operations\.md, "PostgreSQL major version"\.$/,
        ),
      ]);
    },
    long,
  );

  test.each([
    [[], 'This release does not contain PostgreSQL 15: give --old-binaries'],
    [['--old-binaries', '/nowhere'], '/nowhere does not contain the program postgres'],
    [['--old-binaries', join(ownHome(), 'bin')], 'contains PostgreSQL 18: give the folder'],
    [['--nonsense'], 'Unknown option'],
  ])(
    'an upgrade with %j is refused and changes nothing',
    async (args, says) => {
      const names = (await readdir(dataDir)).sort();
      const { code, err } = await upgrade(args);
      expect([code, err]).toEqual([1, expect.stringMatching(oneLine)]);
      expect(err).toContain(says);
      expect([await major(), (await readdir(dataDir)).sort()]).toEqual([15, names]);
    },
    long,
  );

  test(
    'an upgrade of an external database, or of none, is refused',
    async () => {
      const run = (settings: Record<string, string>) => runCommand('upgrade-database', [], { settings });
      const external = await run({ DATA_DIR: dataDir, DATABASE_URL: 'postgres://a@127.0.0.1/b' });
      expect(external).toMatchObject({ code: 1, err: expect.stringContaining('upgrades the embedded database only') });
      const none = await run({ DATA_DIR: join(dataDir, 'none') });
      expect(none).toMatchObject({ code: 1, err: expect.stringContaining('contains no database') });
    },
    long,
  );

  test.each(['Former server started', 'Rows copied', 'Numbers and sums of rows compared', 'Rules of the data'])(
    'killed at "%s", the former cluster is as it was',
    async (step) => {
      expect(await upgrade(undefined, step)).toMatchObject({ code: null });
      expect(await major()).toBe(15);
      expect(await readdir(dataDir)).not.toContain('restore.json');
    },
    long,
  );

  test(
    'becomes one of this release with the same rows, and the former one is kept for a week',
    async () => {
      // its passwords are made anew, for both clusters
      await rm(join(dataDir, 'database.json'));
      const { code, out, err } = await upgrade();
      expect([code, err]).toEqual([0, '']);
      expect(out).toContain('from PostgreSQL 15 to 18');
      expect(out).toContain('The former database is kept as postgres-15.kept');
      expect(await major()).toBe(18);
      expect(await readdir(dataDir)).not.toContain('upgrade');
      expect(await asOwnerIn(dataDir, contentOf)).toEqual(before);
      expect(await upgrade([])).toMatchObject({
        code: 0,
        out: 'The database already uses PostgreSQL 18: there is nothing to do.\n',
      });

      const kept = join(dataDir, 'postgres-15.kept');
      const service = await startProcess({ dataDir, port: await freePort() });
      expect((await (await signIn(service.address, admin)).get('/api/me')).status).toBe(200);
      expect(await chainFaultsOf(await ownerUrlOf(dataDir))).toEqual([]);
      expect(await service.stop()).toBe(0);
      expect(existsSync(kept)).toBe(true);
      const lastWeek = new Date(Date.now() - 8 * 86_400_000);
      await utimes(kept, lastWeek, lastWeek);
      const later = await startProcess({ dataDir, port: await freePort() });
      expect(later.events('kept_database_removed')).toMatchObject([{ folder: kept }]);
      expect(existsSync(kept)).toBe(false);
      expect(await later.stop()).toBe(0);
    },
    long,
  );
});
