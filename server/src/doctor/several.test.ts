import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { generateKey } from '../crypto/keys.ts';
import { claimStore } from '../files/claim.ts';
import { markName } from '../files/backend.ts';
import { startApp } from '../testing/app.ts';
import type { TestApp } from '../testing/app.ts';
import { backupId, healthyInstallation } from '../testing/doctor.ts';
import type { Environment } from '../testing/doctor.ts';
import { lineOf } from './finding.ts';
import { checkProcesses } from './processes.ts';

let app: TestApp;
let healthy: Awaited<ReturnType<typeof healthyInstallation>>;
beforeAll(async () => {
  app = await startApp({ TRUST_PROXY: '127.0.0.1', APP_KEY: generateKey() });
  healthy = await healthyInstallation(app);
});

/** The lines of one name. */
const found = async (name: string, env: Environment = {}) =>
  (await healthy.look({ env, isOffline: true })).filter((finding) => finding.name === name).map(lineOf);

describe('files on several machines', () => {
  const folder = async () => {
    const root = await mkdtemp(join(healthy.root, 'store-'));
    return { root, env: { STORAGE_URL: `file://${root}` } };
  };

  test('a store without a mark is left for the first start, and a marked one is that of the database', async () => {
    const fine = [expect.stringMatching(/^ok {4}store +The file store belongs to this database$/)];
    expect(await found('store')).toEqual(fine);
    await claimStore(app.deps.db, app.deps.files.places);
    expect(await found('store')).toEqual(fine);
  });

  test('a folder of a second machine, empty or not there, is named with its remedy', async () => {
    const { root, env } = await folder();
    expect(await found('store', env)).toEqual([
      expect.stringMatching(/^fail {2}store +.* in another store than .*S3 or a shared folder/),
    ]);
    await rm(root, { recursive: true });
    expect(await found('store', env)).toHaveLength(1);
  });

  test('a store of another installation is named with its remedy', async () => {
    const { root, env } = await folder();
    await mkdir(root, { recursive: true });
    await writeFile(join(root, markName), 'another-installation\n');
    expect(await found('store', env)).toEqual([
      expect.stringMatching(
        /^fail {2}store +.* contains the files of another installation, .* {2}→ Give another place, or remove/,
      ),
    ]);
  });

  test('files that are being moved out of the store of the database are no fault', async () => {
    const { env } = await folder();
    const former = `file://${app.deps.config.DATA_DIR}`;
    expect(await found('store', { ...env, STORAGE_FALLBACK_URL: former })).toEqual([expect.stringMatching(/^ok/)]);
  });
});

describe('processes', () => {
  afterEach(() => app.owner.query('delete from processes'));
  const add = (role: string, release: string, { contracts = '{}', hours = 0 } = {}) =>
    app.owner.query(
      `insert into processes (id, release, role, host, contracts, beating_since)
       values (gen_random_uuid(), $1, $2, 'one', $3::text[], now() - make_interval(hours => $4))`,
      [release, role, contracts, hours],
    );

  test('those that are there are named with their releases', async () => {
    expect(await found('processes')).toEqual([expect.stringMatching(/^ok {4}processes +No process is running$/)]);
    for (const role of ['api', 'api', 'worker']) await add(role, '1.4.0');
    expect(await found('processes')).toEqual([
      expect.stringMatching(/^ok {4}processes +2 api of 1\.4\.0 on one, 1 worker of 1\.4\.0 on one$/),
    ]);
    await add('api', '1.5.0');
    expect(await found('processes')).toEqual([
      expect.stringMatching(/An upgrade is in progress: .* of 1\.5\.0 on one/),
    ]);
  });

  test('their connections together are compared with those of the database', async () => {
    for (let n = 0; n < 90; n += 1) await add('api', '1.4.0');
    const lines = await found('connections', { DATABASE_POOL_SIZE: '30' });
    expect(lines.filter((line) => !line.startsWith('ok'))).toEqual([
      expect.stringMatching(
        /^warn {2}connections +The 90 running processes use up to 2790 connections, but the database allows \d+ {2}→ Raise/,
      ),
    ]);
  });

  test('a contract that is pending is in the list, and a warning when it waits for long', async () => {
    const { rows } = await app.owner.query<{ name: string }>(
      `delete from schema_migrations where name = (
         select max(name) from schema_migrations where name like '%.contract.sql') returning name`,
    );
    const name = rows[0]?.name ?? '';
    try {
      expect(await found('contracts')).toEqual([expect.stringMatching(/^ok .* runs once only this release/)]);
      const { db, config } = app.deps;
      expect((await checkProcesses(db, config, 1_000)).map(({ name: of }) => of)).toEqual(['processes', 'contracts']);
      await add('worker', '1.5.0', { contracts: `{${name}}` });
      await add('api', '1.4.0');
      expect(await found('contracts')).toEqual([expect.stringMatching(/^ok .* waits until 1\.4\.0 on one ends$/)]);
      await app.owner.query("update processes set beating_since = now() - interval '30 hours'");
      expect(await found('contracts')).toEqual([
        expect.stringMatching(
          /^warn {2}contracts +.*contract\.sql has been waiting for 30 h until 1\.4\.0 on one ends {2}→ Upgrade or stop/,
        ),
      ]);
      await app.owner.query("delete from processes where release = '1.4.0'");
      expect(await found('contracts')).toEqual([
        expect.stringMatching(/^warn {2}contracts +.* no process applies it {2}→ Start a process with ROLE=all/),
      ]);
    } finally {
      await app.owner.query('insert into schema_migrations (name) values ($1)', [name]);
    }
  });
});

describe('what shows that backups are of use', () => {
  afterEach(async () => {
    await app.owner.query("delete from backups where kind = 'drill'");
    await app.owner.query('update backups set started_at = now()');
  });
  const monthly = { BACKUP_DRILL: 'monthly' };
  const drill = (days: number, error: string | null = null) =>
    app.owner.query(
      `insert into backups (kind, status, backup, started_at, finished_at, error)
       select 'drill', case when $3::text is null then 'done' else 'failed' end, $1, at, at, $3
       from (select now() - make_interval(days => $2) as at) as t`,
      [backupId, days, error],
    );

  test('the age of the last drill is in the list, and a warning when it is long ago', async () => {
    expect(await found('drill', monthly)).toEqual([]);
    await drill(20);
    expect(await found('drill', monthly)).toEqual([
      expect.stringMatching(/^ok {4}drill +A backup was last restored as a test 20 days ago$/),
    ]);
    expect(await found('drill', { BACKUP_DRILL: 'off' })).toEqual([]);
    await app.owner.query("update backups set finished_at = now() - interval '70 days' where kind = 'drill'");
    expect(await found('drill', monthly)).toEqual([
      expect.stringMatching(/^warn {2}drill +.* 70 days ago {2}→ Run the command restore/),
    ]);
    await drill(1, '2 faults, the first: a file is lost');
    expect(await found('drill', monthly)).toEqual([
      expect.stringMatching(/^fail {2}drill +The last test restore failed: 2 faults.*→ Run/),
    ]);
  });

  test('so is one that never came, counted from the first backup', async () => {
    await app.owner.query("update backups set started_at = now() - interval '80 days' where kind = 'backup'");
    expect(await found('drill', monthly)).toEqual([
      expect.stringMatching(
        /^warn {2}drill +No test restore has succeeded since the first backup, 80 days ago {2}→ Run the command restore --check/,
      ),
    ]);
    await app.owner.query("update backups set kind = 'drill' where kind = 'verification'");
    expect(await found('verified')).toEqual([expect.stringMatching(/^warn {2}verified +No verification of a backup/)]);
  });
});
