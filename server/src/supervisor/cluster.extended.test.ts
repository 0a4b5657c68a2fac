import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFile, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { get } from 'node:http';
import type { IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { generateKey } from '../crypto/keys.ts';
import { cloneDatabase } from '../testing/databases.ts';
import { cookieHeader } from '../testing/client.ts';
import { freePort } from '../testing/free-port.ts';
import { releaseTree } from '../testing/release-tree.ts';
import { signIn } from '../testing/remote.ts';
import { admin, pidsOf, secondsMissing, secondsToLoad, startProcess } from '../testing/service-process.ts';
import type { ServiceProcess } from '../testing/service-process.ts';

const root = join(import.meta.dirname, '..', '..', '..');
const scratch = await mkdtemp(join(tmpdir(), 'tenure-supervisor-'));
const [port, metricsPort] = await Promise.all([freePort(), freePort()]);
const address = `http://localhost:${port}`;
const wait = { timeout: 60_000, interval: 50 };
const running: ServiceProcess[] = [];

afterAll(async () => {
  for (const service of running) await service.kill();
  await rm(scratch, { recursive: true, force: true });
});

type Answered = { status: number | undefined; body: string };

/** A request on a separate connection, which any process may accept. */
async function ask(path: string, cookie = '', at = address): Promise<Answered> {
  const headers = { accept: 'application/json', referer: `${address}/`, cookie };
  const request = get(`${at}${path}`, { agent: false, headers, timeout: 60_000 });
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  return { status: response.statusCode, body: await text(response) };
}
const operators = (path: string) => ask(path, '', `http://127.0.0.1:${metricsPort}`);
const statusesOf = async (asked: Promise<Answered>[]) => (await Promise.all(asked)).map(({ status }) => status);

const pidOf = (service: ServiceProcess, name: string) => pidsOf(service)[name] ?? 0;
const replacements = (service: ServiceProcess) => service.events('process_replaced').length;

/** Which processes have answered requests for this route since then. */
const byName = (a: unknown, b: unknown) => String(a).localeCompare(String(b));

const answering = (service: ServiceProcess, route: string, from = 0) => {
  const lines = service.events('request').slice(from);
  return [...new Set(lines.filter((line) => line.route === route).map((line) => line.process))].toSorted(byName);
};

const sample = (metrics: string, name: string) =>
  Number(
    metrics
      .split('\n')
      .find((line) => line.startsWith(`${name} `))
      ?.slice(name.length + 1),
  );

describe('two web processes and one for jobs', () => {
  let service: ServiceProcess;
  let owner: pg.Pool;
  const current = join(scratch, 'current');
  const dataDir = join(scratch, 'external');

  const later = { '29990102_0000_later.sql': 'alter table entities add column later_count integer' };

  async function lead(tree: string) {
    await rm(current, { force: true });
    await symlink(tree, current);
  }
  /** Kills a process and waits for its replacement. */
  async function kill(name: string, signal: NodeJS.Signals) {
    const before = replacements(service);
    process.kill(pidOf(service, name), signal);
    return async () => vi.waitFor(() => expect(replacements(service)).toBe(before + 1), wait);
  }
  /** `tenure reload`: its exit code and its output. */
  async function reload() {
    const env = { PATH: process.env.PATH, DATA_DIR: dataDir };
    const child = spawn(process.execPath, ['scripts/reload.ts'], { cwd: root, env, stdio: ['ignore', 'pipe', 'pipe'] });
    const closed = once(child, 'close') as Promise<[number]>;
    const said = await Promise.all([text(child.stdout), text(child.stderr)]);
    return [(await closed)[0], said.join('')];
  }

  beforeAll(async () => {
    const { appUrl, ownerUrl } = await cloneDatabase();
    owner = new pg.Pool({ connectionString: ownerUrl, max: 1 });
    const tree = await releaseTree('first', {});
    await lead(tree);
    service = await startProcess({
      dataDir,
      port,
      tree,
      program: 'server/src/testing/impatient-supervisor.ts',
      settings: {
        DATABASE_URL: appUrl,
        DATABASE_MIGRATION_URL: ownerUrl,
        APP_KEY: generateKey(),
        WEB_CONCURRENCY: '2',
        METRICS_PORT: String(metricsPort),
        CONNECTIONS_PER_ADDRESS: '0',
        SHUTDOWN_DELAY_SECONDS: '1',
        TENURE_HOME: current,
      },
    });
    running.push(service);
  }, 120_000);

  afterAll(() => owner.end());

  test('both answer on one port, and a session ended in one is ended in all', async () => {
    const client = await signIn(address, admin);
    const cookie = cookieHeader(client.cookies);
    const me = () => statusesOf(Array.from({ length: 20 }, () => ask('/api/me', cookie)));
    await vi.waitFor(async () => {
      expect(new Set(await me())).toEqual(new Set([200]));
      expect(answering(service, '/api/me')).toEqual(['web-1', 'web-2']);
    }, wait);
    expect((await client.post('/api/logout')).status).toBeLessThan(300);
    const from = service.events('request').length;
    await vi.waitFor(async () => {
      expect(new Set(await me())).toEqual(new Set([401]));
      expect(answering(service, '/api/me', from)).toEqual(['web-1', 'web-2']);
    }, wait);
  }, 90_000);

  test('joins the metrics of all, and says which process has which memory', async () => {
    const { status, body } = await operators('/metrics');
    expect(status).toBe(200);
    for (const name of ['web-1', 'web-2', 'jobs']) expect(sample(body, `tenure_process_up{process="${name}"}`)).toBe(1);
    for (const name of ['web-1', 'web-2', 'jobs', 'supervisor'])
      expect(sample(body, `process_resident_memory_bytes{process="${name}"}`)).toBeGreaterThan(10_000_000);
    expect(sample(body, 'tenure_database_up')).toBe(1);
    expect(sample(body, 'tenure_build_info{release="0.1.0"}')).toBe(1);
    expect(sample(body, 'tenure_storage_up')).toBe(1);
    expect((await operators('/readyz')).status).toBe(200);
    expect((await operators('/livez')).status).toBe(200);
    expect((await operators('/other')).status).toBe(404);
  }, 60_000);

  test('a killed web process is replaced while the other one serves, and nothing is counted backwards', async () => {
    const counted = async () =>
      sample((await operators('/metrics')).body, 'http_requests_total{method="GET",route="/livez",status="200"}');
    expect(await statusesOf(Array.from({ length: 20 }, () => ask('/livez')))).not.toContain(500);
    const before = await counted();
    const replaced = await kill('web-1', 'SIGKILL');
    await vi.waitFor(() => expect(service.events('process_lost')).toHaveLength(1), wait);
    expect((await ask('/livez')).status).toBe(200);
    expect(await counted()).toBeGreaterThan(before);
    await replaced();
    expect(service.events('process_lost')).toEqual([expect.objectContaining({ process: 'web-1', reason: 'SIGKILL' })]);
    const [missing] = secondsMissing(service, 'web-1');
    // five seconds, on a machine with a free CPU
    expect(missing).toBeLessThanOrEqual(5 * (await secondsToLoad()));
    expect(await counted()).toBeGreaterThan(before);
  }, 90_000);

  test('jobs of a killed process are freed as soon as it is replaced', async () => {
    const { rows } = await owner.query<{ id: string }>('select id from job_workers');
    const [worker] = rows.map(({ id }) => id);
    await owner.query("select graphile_worker.add_job('note')");
    await owner.query('update graphile_worker._private_jobs set locked_by = $1, locked_at = now()', [worker]);
    await (
      await kill('jobs', 'SIGKILL')
    )();
    const locked = await owner.query('select from graphile_worker._private_jobs where locked_by = $1', [worker]);
    const listed = await owner.query('select from job_workers where id = $1', [worker]);
    expect([locked.rows, listed.rows]).toEqual([[], []]);
    await owner.query(
      "delete from graphile_worker._private_jobs where task_id = (select id from graphile_worker._private_tasks where identifier = 'note')",
    );
  }, 90_000);

  test('a process that stands still is named by the metrics, killed and replaced', async () => {
    const replaced = await kill('web-2', 'SIGSTOP');
    const started = performance.now();
    const { body } = await operators('/metrics');
    // the deadline is one second; the rest depends on the machine
    expect(performance.now() - started).toBeLessThan(5_000);
    expect(sample(body, 'tenure_process_up{process="web-2"}')).toBe(0);
    expect(sample(body, 'tenure_process_up{process="web-1"}')).toBe(1);
    expect(sample(body, 'tenure_database_up')).toBe(1);
    await replaced();
    expect(service.events('process_lost').at(-1)).toMatchObject({
      process: 'web-2',
      reason: 'it did not answer its supervisor',
    });
  }, 90_000);

  test('four reloads under ten thousand connections fail no request, and go to the release that the link leads to', async ({
    annotate,
  }) => {
    await lead(await releaseTree('second', later));
    const load = { isOver: false, isReloading: false, during: 0, failed: [] as unknown[] };
    const client = async () => {
      while (!load.isOver) {
        if (load.isReloading) load.during += 1;
        const { status } = await ask('/livez').catch((error: Error) => ({ status: error.message }));
        if (status !== 200) load.failed.push(status);
        await sleep(5);
      }
    };
    const clients = Array.from({ length: 8 }, client);
    const lost = service.events('process_lost').length;
    const before = pidOf(service, 'web-1');
    const started = performance.now();
    let reloads = 0;
    for (; reloads < 4 || load.during < 10_000; reloads += 1) {
      load.isReloading = true;
      expect(await reload()).toEqual([0, 'Reloaded\n']);
      load.isReloading = false;
    }
    const seconds = Math.round((performance.now() - started) / 1_000);
    load.isOver = true;
    await Promise.all(clients);
    await annotate(
      `${load.during} connections during ${reloads} reloads in ${seconds} s, ${load.failed.length} failed.`,
    );
    expect(load.failed).toEqual([]);
    expect(pidOf(service, 'web-1')).not.toBe(before);
    // killed processes count as running for a minute, and pages are those of the oldest release
    await vi.waitFor(async () => expect((await ask('/')).body).toContain('second.js'), { ...wait, timeout: 120_000 });
    const { rows } = await owner.query("select from schema_migrations where name = '29990102_0000_later.sql'");
    expect(rows).toHaveLength(1);
    expect(service.events('process_lost')).toHaveLength(lost);
  }, 900_000);

  test('a release that does not start, or cannot migrate, leaves the processes as they are', async () => {
    const before = pidsOf(service);
    const broken = await releaseTree('broken', later);
    const app = join(broken, 'server/src/app.ts');
    await writeFile(app, "export const buildApp = () => Promise.reject(new Error('broken'));");
    await lead(broken);
    expect(await reload()).toEqual([
      1,
      'Not reloaded: broken. Replaced processes run the new release, the others continue to serve with the former one\n',
    ]);
    await copyFile(join(root, 'server/src/app.ts'), app);
    await writeFile(join(broken, 'server/migrations/29990103_0000_wrong.sql'), 'alter table nothing add column x text');
    expect(await reload()).toEqual([1, expect.stringContaining('nothing')]);
    expect(await service.logged('reload_failed', 2)).toEqual([
      expect.objectContaining({ reason: 'broken', replaced: 0 }),
      expect.objectContaining({ reason: expect.stringContaining('nothing') as string, replaced: 0 }),
    ]);
    expect(pidsOf(service)).toEqual(before);
    expect((await ask('/api/me')).status).toBe(401);
  }, 300_000);

  test('stops in order, after the delay, when the signal reaches all processes', async () => {
    expect(await service.stop()).toBe(0);
    expect(service.events('stopping')).toEqual([expect.objectContaining({ seconds: 1 })]);
    expect(service.events('stop_failed')).toEqual([]);
    await expect(ask('/livez')).rejects.toMatchObject({ code: 'ECONNREFUSED' });
    expect(await reload()).toEqual([1, expect.stringContaining('No service with several processes is running on')]);
  }, 60_000);
});
