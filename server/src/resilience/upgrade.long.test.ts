import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { generateKey } from '../crypto/keys.ts';
import { migrate } from '../db/migrate.ts';
import { cloneDatabase } from '../testing/databases.ts';
import { freePort } from '../testing/free-port.ts';
import { releaseTree } from '../testing/release-tree.ts';
import { admin, spawnService, startProcess } from '../testing/service-process.ts';
import type { Installation, ServiceProcess } from '../testing/service-process.ts';
import { startLoad } from './rolling-load.ts';
import type { Load } from './rolling-load.ts';

/** Two releases side by side on one database, under load, from the earlier one to the later one. */

const earlier = { '29990101_0000_earlier.sql': 'alter table entities add column used_before text' };
const later = {
  ...earlier,
  '29990102_0000_later.sql': `
    alter table employees add column later_note text;
    alter table entities add column later_count integer not null default 0;`,
  '29990102_0000_later.online.sql': `
    create index concurrently if not exists later_note_idx on employees (later_note);`,
  '29990102_0000_later.contract.sql': 'alter table entities drop column used_before;',
};
const [before, after] = await Promise.all([releaseTree('before', earlier), releaseTree('after', later)]);
const dataDir = await mkdtemp(join(tmpdir(), 'tenure-upgrade-'));
const { ownerUrl, appUrl } = await cloneDatabase();
const owner = new pg.Pool({ connectionString: ownerUrl, max: 2 });
const ports = await Promise.all([freePort(), freePort(), freePort()]);
const settings = {
  DATABASE_URL: appUrl,
  DATABASE_MIGRATION_URL: ownerUrl,
  APP_KEY: generateKey(),
  SHUTDOWN_DELAY_SECONDS: '1',
  // browsers use one address, whichever process answers
  APP_URL: `http://localhost:${ports[0]}`,
};
const roles = ['api', 'api', 'worker'];
const nodes: ServiceProcess[] = [];
let load: Load;

const installation = (tree: string, n: number): Installation => ({
  tree,
  dataDir,
  port: ports[n] as number,
  settings: { ...settings, ROLE: roles[n] as string },
});

afterAll(async () => {
  for (const node of nodes) await node.kill('service');
  await owner.end();
  await rm(dataDir, { recursive: true, force: true });
});

async function start(tree: string, n: number) {
  const node = (nodes[n] = await startProcess(installation(tree, n)));
  if (roles[n] !== 'worker') load?.serving.add(node.address);
}

/** A load balancer stops sending requests to a process that stops, and resumes when one is ready. */
async function replace(n: number, tree: string) {
  const node = nodes[n] as ServiceProcess;
  load.serving.delete(node.address);
  expect(await node.stop()).toBe(0);
  await start(tree, n);
}

const page = async (n: number) => (await (await fetch(`${nodes[n]?.address}/`)).text()).match(/\w+(?=\.js)/)?.[0];
const assets = async (n: number) =>
  Promise.all(
    ['before', 'after'].map(async (name) => {
      const answer = await fetch(`${nodes[n]?.address}/assets/${name}.js`);
      return [answer.status, answer.headers.get('content-type')?.split(';')[0], await answer.text()];
    }),
  );
const bothAssets = ['before', 'after'].map((name) => [200, 'application/javascript', `/* ${name} */`]);

const columns = async () =>
  (
    await owner.query<{ name: string }>(
      `select attname::text as name from pg_attribute
       where attrelid in ('entities'::regclass, 'employees'::regclass) and attname in ('used_before', 'later_note', 'later_count') and not attisdropped order by 1`,
    )
  ).rows.map(({ name }) => name);

/** Runs the job that removes what earlier releases use, as scheduled. */
async function contract() {
  const pending = "select from graphile_worker.jobs where key = 'contract_schema'";
  await owner.query("select graphile_worker.add_job('contract_schema', job_key => 'contract_schema')");
  await vi.waitUntil(async () => (await owner.query(pending)).rows.length === 0, { timeout: 30_000 });
}
/** As if the processes had been running for longer. */
const age = () => owner.query("update processes set beating_since = beating_since - interval '11 minutes'");

const readable = async (n: number) => (await fetch(`${nodes[n]?.address}/readyz`)).status;

describe('an upgrade while requests run', () => {
  beforeAll(async () => {
    for (const n of [0, 1, 2]) await start(before, n);
    load = await startLoad(nodes[0]?.address as string, admin);
    load.serving.add(nodes[1]?.address as string);
  }, 120_000);

  test('migrates first, beside the processes of the earlier release', async () => {
    const migrating = spawnService({ ...installation(after, 0), settings: { ...settings, MIGRATE: 'only' } });
    expect(await migrating.ended, migrating.lines.join('\n')).toBe(0);
    expect(migrating.lines).toEqual([
      'Applied 29990102_0000_later.sql',
      'Applied 29990102_0000_later.online.sql',
      expect.stringMatching(/^29990102_0000_later\.contract\.sql waits for the end of 0\.1\.0\+[0-9a-f]{8} on /),
    ]);
    expect(await columns()).toEqual(['later_count', 'later_note', 'used_before']);
    for (const n of [0, 1]) expect(await readable(n)).toBe(200);
  }, 60_000);

  test('an earlier process can start again, and has the files of both', async () => {
    await replace(0, before);
    expect([await page(0), await assets(0)]).toEqual(['before', bothAssets]);
  }, 60_000);

  test('a later process beside it sends the earlier page, and has the files of both', async () => {
    await replace(0, after);
    expect([await page(0), await page(1)]).toEqual(['before', 'before']);
    for (const n of [0, 1]) expect(await assets(n)).toEqual(bothAssets);
  }, 60_000);

  test('the way back is open until the contract, which waits for earlier processes', async () => {
    await age();
    await contract();
    await replace(0, before);
    await replace(0, after);
    expect(await columns()).toContain('used_before');
  }, 60_000);

  test('the last earlier API takes its page along, and the contract waits for the worker', async () => {
    await replace(1, after);
    await vi.waitFor(async () => expect([await page(0), await page(1)]).toEqual(['after', 'after']));
    for (const n of [0, 1]) expect(await assets(n)).toEqual(bothAssets);
    await age();
    await contract();
    expect(await columns()).toContain('used_before');
  }, 60_000);

  test('then the contract removes what the earlier release used', async () => {
    await replace(2, after);
    await age();
    await contract();
    expect(await columns()).toEqual(['later_count', 'later_note']);
    expect(await nodes[2]?.logged('contract_done')).toEqual([
      expect.objectContaining({ migration: '29990102_0000_later.contract.sql' }),
    ]);
    for (const n of [0, 1]) expect(await readable(n)).toBe(200);
  }, 60_000);

  test('no request failed, and no answered write is lost', async () => {
    const lost = await load.end();
    expect([load.failures, lost]).toEqual([[], []]);
    expect(load.counts.requests).toBeGreaterThan(500);
  }, 60_000);

  test('an earlier process is refused from then on', async () => {
    expect(await nodes[1]?.stop()).toBe(0);
    const refused = spawnService(installation(before, 1));
    expect(await refused.ended).toBe(1);
    expect(refused.lines).toContain(
      'A newer release removed what this one uses (29990102_0000_later.contract.sql). Start the newer release, ' +
        'or restore a backup that this release made',
    );
    expect(await migrate(ownerUrl).catch((error: Error) => error.message)).toContain('A newer release removed');
  }, 60_000);
});
