import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { freePort } from '../../testing/free-port.ts';
import { moment } from '../../testing/points.ts';
import { programOf } from '../../testing/program.ts';
import { remote, signIn } from '../../testing/remote.ts';
import { admin, ownerUrlOf, startProcess } from '../../testing/service-process.ts';
import type { Killed, ServiceProcess } from '../../testing/service-process.ts';
import { isSegment, nextSegment } from './wal.ts';

/** Point-in-time recovery as used in practice: a service that sends WAL is killed and restored to a point in time. */

const long = 600_000;
const patience = { timeout: 120_000, interval: 200 };
let root: string;
let dataDir: string;
let archive: string;
let installation: Parameters<typeof startProcess>[0];
let service: ServiceProcess;

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'tenure-wal-'));
  [dataDir, archive] = [join(root, 'data'), join(root, 'archive')];
  const settings = { BACKUP_WAL: 'on', BACKUP_URL: archive, METRICS_PORT: String(await freePort()) };
  installation = { dataDir, port: await freePort(), settings };
  service = await startProcess(installation);
}, long);

afterAll(async () => {
  await service.stop();
  await rm(root, { recursive: true, force: true });
}, long);

const start = (script: string, args: string[]) =>
  spawn(process.execPath, programOf(script, args), {
    env: { PATH: process.env.PATH, HOME: process.env.HOME, DATA_DIR: dataDir, ...installation.settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  });

async function run(script: string, args: string[] = []) {
  const child = start(script, args);
  const closed = new Promise<number | null>((done) => child.once('close', done));
  const [out, err] = await Promise.all([text(child.stdout), text(child.stderr)]);
  return { code: await closed, out, err };
}

/** The schedule may be running it at the moment. */
async function makeBase() {
  for (;;) {
    const made = await run('backup', ['--base']);
    if (!made.err.includes('A base backup of this database is running')) return made;
    await sleep(1_000);
  }
}

async function query(statement: string) {
  const client = new pg.Client({ connectionString: await ownerUrlOf(dataDir) });
  // kills end connections; the statement reports this
  client.on('error', () => undefined);
  try {
    await client.connect();
    return (await client.query<Record<string, unknown>>(statement)).rows;
  } finally {
    await client.end();
  }
}

const write = (n: number) => query(`insert into ledger.lines values (${n})`);
const fill = () => query("select pg_logical_emit_message(true, 'fill', repeat('x', 17 * 1024 * 1024))");
const lines = async () => (await query('select n from ledger.lines order by n')).map(({ n }) => n);

async function segments() {
  const [line] = await readdir(join(archive, 'wal'));
  return (await readdir(join(archive, 'wal', line ?? ''))).filter(isSegment).toSorted();
}

/** Waits until the archive has the current segment, which the next fill completes. */
async function sendAll() {
  const [row] = await query('select pg_walfile_name(pg_current_wal_insert_lsn()) as name');
  await fill();
  await vi.waitUntil(
    async () => (await segments().catch((): string[] => [])).includes(row?.['name'] as string),
    patience,
  );
}

test(
  'the first base begins the archive, and WAL follows it',
  async () => {
    await query('create schema ledger; create table ledger.lines (n int)');
    await vi.waitUntil(() => service.events('wal_archive_down').length > 0, patience);
    expect(service.events('wal_archive_down')[0]).toMatchObject({ reason: expect.stringContaining('--base') });
    expect(await makeBase()).toMatchObject({ code: 0, err: '' });
    await write(1);
    await sendAll();
    await vi.waitUntil(() => service.events('wal_archive_up').length > 0, patience);
    const metrics = await (await fetch(`http://127.0.0.1:${installation.settings?.['METRICS_PORT']}/metrics`)).text();
    expect(metrics).toMatch(/^tenure_wal_spool_bytes \d+$/m);
    expect(metrics).toMatch(/^tenure_wal_gaps 0$/m);
  },
  long,
);

test(
  'kills and an archive that is away for a while lose nothing: all segments are there in order',
  async () => {
    const gaps: unknown[] = [];
    const ways: Killed[] = ['service', 'everything'];
    for (const [index, way] of ways.entries()) {
      const writing = Promise.allSettled([fill(), fill()]);
      await sleep(100 + 500 * index);
      await service.kill(way);
      await writing;
      gaps.push(...service.events('wal_gap'));
      service = await startProcess(installation);
      await write(10 + index);
    }
    await rename(archive, `${archive}.away`);
    await fill();
    await fill();
    await vi.waitUntil(() => service.events('wal_archive_down').length > 0, patience);
    await write(20);
    await rename(`${archive}.away`, archive);
    await vi.waitUntil(() => service.events('wal_archive_up').length > 0, patience);
    await sendAll();
    const names = await segments();
    for (const [index, name] of names.slice(1).entries()) expect(name).toBe(nextSegment(names[index] ?? ''));
    expect([...gaps, ...service.events('wal_gap')]).toEqual([]);
  },
  long,
);

test(
  'back to a moment: sessions of then are over, the audit log verifies, and its timeline has a history',
  async () => {
    expect(await run('backup')).toMatchObject({ code: 0, err: '' });
    const client = await signIn(service.address, admin);
    await write(30);
    const time = new Date(await moment()).toISOString();
    await write(31);
    await sendAll();
    expect((await run('backup', ['--list'])).out).toMatch(/^Points in time: .* UTC$/m);
    expect(await client.get('/api/me')).toMatchObject({ status: 200 });
    await service.stop();
    const refused = await run('restore', ['--to-time', time, '--yes']);
    expect(refused).toMatchObject({ code: 1, err: expect.stringMatching(/add --replace to keep it .*\n$/) });
    const killed = start('restore', ['--to-time', time, '--replace', '--yes']);
    await vi.waitUntil(() => existsSync(join(dataDir, 'restore', 'postgres', 'postmaster.pid')), patience);
    killed.kill('SIGKILL');
    expect((await readdir(dataDir)).filter((name) => name.startsWith('postgres'))).toEqual(['postgres']);
    const restored = await run('restore', ['--to-time', time, '--replace', '--yes']);
    expect(restored).toMatchObject({ code: 0, err: '' });
    expect(restored.out).toMatch(/^Indexes checked by amcheck: \d{3}$/m);
    expect(restored.out).not.toContain('Warning');
    expect((await readdir(dataDir)).filter((name) => name.startsWith('postgres.before-'))).toHaveLength(1);

    service = await startProcess(installation);
    expect(await lines()).toEqual([1, 10, 11, 20, 30]);
    expect(await remote(service.address, new Map(client.cookies)).get('/api/me')).toMatchObject({ status: 401 });
    await signIn(service.address, admin);
    expect(await run('audit-verify')).toMatchObject({ code: 0 });
    // the new timeline has a history, so the next restore takes another one
    await vi.waitUntil(
      async () => (await readdir(join(archive, 'wal'))).some((line) => line.endsWith('-00000002')),
      patience,
    );
    const [second] = (await readdir(join(archive, 'wal'))).filter((line) => line.endsWith('-00000002'));
    await vi.waitUntil(
      async () => (await readdir(join(archive, 'wal', second ?? ''))).includes('00000002.history'),
      patience,
    );
    expect(await makeBase()).toMatchObject({ code: 0 });
  },
  long,
);
