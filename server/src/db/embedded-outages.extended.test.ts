import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { Client } from 'pg';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { clusterFolder, loadOrCreateKey } from './data-dir.ts';
import { type EmbeddedDatabase, startEmbedded } from './embedded.ts';
import { isServerOf, readPidFile } from './embedded/processes.ts';

const asRoot = process.geteuid?.() === 0;
const onLinux = process.platform === 'linux';
const program = fileURLToPath(new URL('../testing/embedded-service.ts', import.meta.url));
const log = pino({ level: 'silent' });

let scratch: string;
let dataDir: string;

beforeAll(async () => {
  scratch = await mkdtemp(join(tmpdir(), 'tenure-faults-'));
  await chmod(scratch, 0o711);
  dataDir = join(scratch, 'data');
  const first = await startEmbedded({ dataDir, log });
  await query(first.ownerUrl, 'create table kept (id int primary key)');
  await query(first.ownerUrl, 'grant select, insert on kept to tenure_app');
  await first.stop();
});

afterAll(() => rm(scratch, { recursive: true }));

interface Running {
  child: ChildProcess;
  appUrl: string;
  pid: number;
}

async function startService(folder = dataDir): Promise<Running> {
  const child = spawnService(folder);
  const line = await new Promise<string>((done, fail) => {
    if (child.stdout) createInterface({ input: child.stdout }).once('line', done);
    child.once('exit', (code) => fail(new Error(`the service ended with ${code}`)));
  });
  return { child, ...(JSON.parse(line) as { appUrl: string; pid: number }) };
}

function spawnService(folder: string): ChildProcess {
  return spawn(process.execPath, [program, folder], { stdio: ['ignore', 'pipe', 'pipe'] });
}

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<number | null> {
  const exit = once(child, 'exit') as Promise<[number | null]>;
  child.kill(signal);
  const [code] = await exit;
  return code;
}

async function query(url: string, sql: string): Promise<Record<string, unknown>[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(sql)).rows;
  } finally {
    await client.end();
  }
}

/** Inserts rows one by one; resolves after the first. `cut`: the acknowledged rows, after the server has died. */
async function beginInserting(url: string, from: number): Promise<{ cut: Promise<number[]> }> {
  const client = new Client({ connectionString: url });
  client.on('error', () => {});
  await client.connect();
  const acknowledged: number[] = [];
  const insert = async (id: number) => {
    await client.query('insert into kept values ($1)', [id]);
    acknowledged.push(id);
  };
  await insert(from);
  const insertOn = async () => {
    try {
      for (let id = from + 1; ; id++) await insert(id);
    } catch {
      return acknowledged;
    }
  };
  return { cut: insertOn() };
}

/** The acknowledged rows that are missing. */
async function lost(database: EmbeddedDatabase, acknowledged: number[]): Promise<number[]> {
  const rows = await query(database.appUrl, 'select id from kept');
  const ids = new Set(rows.map(({ id }) => id));
  expect(acknowledged.length).toBeGreaterThan(0);
  return acknowledged.filter((id) => !ids.has(id));
}

/** The shell that would stop the database when its service is killed. */
async function killGuardOf(server: number): Promise<void> {
  for (const name of await readdir('/proc')) {
    const command = await readFile(`/proc/${name}/cmdline`, 'utf8').catch(() => '');
    if (command.includes(`tenure-guard\0${server}\0`)) process.kill(Number(name), 'SIGKILL');
  }
}

const isRunning = (pid: number, folder = dataDir): Promise<boolean> => isServerOf(clusterFolder(folder), pid);

test.each<NodeJS.Signals>(['SIGTERM', 'SIGHUP', 'SIGINT'])('%s ends the service and its database', async (signal) => {
  const { child, pid } = await startService();
  expect(await isRunning(pid)).toBe(true);
  expect(await end(child, signal)).toBe(0);
  expect(await isRunning(pid)).toBe(false);
});

test('a killed service leaves no database behind, and no acknowledged row is lost', async () => {
  const { child, appUrl, pid } = await startService();
  const inserting = await beginInserting(appUrl, 1);
  await sleep(100);
  await end(child, 'SIGKILL');
  const acknowledged = await inserting.cut;
  await expect.poll(() => isRunning(pid)).toBe(false);
  const database = await startEmbedded({ dataDir, log });
  expect(await lost(database, acknowledged)).toEqual([]);
  await database.stop();
});

test.runIf(onLinux)('a start beside the living database of a killed service takes over without loss', async () => {
  const { child, appUrl, pid } = await startService();
  await killGuardOf(pid);
  const inserting = await beginInserting(appUrl, 100_001);
  await sleep(100);
  await end(child, 'SIGKILL');
  expect(await isRunning(pid)).toBe(true);
  const database = await startEmbedded({ dataDir, log });
  expect(await isRunning(pid)).toBe(false);
  expect(database.pid()).not.toBe(pid);
  expect(await lost(database, await inserting.cut)).toEqual([]);
  await database.stop();
});

test.runIf(onLinux)('service and database killed together lose no acknowledged row', async () => {
  const { child, appUrl, pid } = await startService();
  const inserting = await beginInserting(appUrl, 200_001);
  await sleep(100);
  process.kill(pid, 'SIGKILL');
  await end(child, 'SIGKILL');
  const acknowledged = await inserting.cut;
  const database = await startEmbedded({ dataDir, log });
  expect(await lost(database, acknowledged)).toEqual([]);
  await database.stop();
});

test('a second service is refused with the number of the first, which goes on', async () => {
  const { child, appUrl } = await startService();
  const second = spawnService(dataDir);
  const errors: Buffer[] = [];
  second.stderr?.on('data', (chunk: Buffer) => errors.push(chunk));
  const [code] = (await once(second, 'close')) as [number];
  expect(code).not.toBe(0);
  expect(Buffer.concat(errors).toString()).toContain(`in use by another Tenure service (process ${child.pid})`);
  expect(await query(appUrl, 'select 1 as one')).toEqual([{ one: 1 }]);
  await end(child, 'SIGTERM');
});

test('of two first starts at once one wins and the other leaves no trace', async () => {
  const folder = join(scratch, 'two');
  const starts = await Promise.allSettled([
    startEmbedded({ dataDir: folder, log }),
    startEmbedded({ dataDir: folder, log }),
  ]);
  expect(starts.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  const winner = starts.find((start) => start.status === 'fulfilled');
  await winner?.value.stop();
  expect((await readdir(folder)).sort()).toEqual(['app.key', 'database.json', 'postgres', 'service.lock']);
});

test('a first start killed at any moment leaves a clean next start', async () => {
  const folder = join(scratch, 'cut');
  for (const wait of [150, 350, 550]) {
    const child = spawnService(folder);
    await sleep(wait);
    await end(child, 'SIGKILL');
  }
  const database = await startEmbedded({ dataDir: folder, log });
  expect(await query(database.ownerUrl, 'select current_user as name')).toEqual([{ name: 'tenure_owner' }]);
  await database.stop();
  expect(await readdir(folder)).not.toContain('postgres.new');
});

test('a first start makes the key, so only a later loss is reported', async () => {
  const folder = join(scratch, 'two');
  expect((await loadOrCreateKey(folder)).replaced).toBe(false);
  await rm(join(folder, 'app.key'));
  expect((await loadOrCreateKey(folder)).replaced).toBe(true);
});

test('a path too long for a socket is served on the loopback interface, with the same passwords', async () => {
  const folder = join(scratch, 'long'.repeat(25));
  const database = await startEmbedded({ dataDir: folder, log });
  const url = new URL(database.appUrl);
  expect(url.hostname).toBe('127.0.0.1');
  expect(await query(url.href, 'select current_user as name')).toEqual([{ name: 'tenure_app' }]);
  url.password = 'tenure';
  await expect(query(url.href, 'select 1')).rejects.toThrow('password authentication failed');
  await database.stop();
});

test.runIf(asRoot && onLinux)('a parent folder that only root may pass is no obstacle', async () => {
  const parent = join(scratch, 'private');
  await mkdir(parent, { mode: 0o700 });
  const database = await startEmbedded({ dataDir: join(parent, 'data'), log });
  expect(await query(database.appUrl, 'select 1 as one')).toEqual([{ one: 1 }]);
  process.kill((await readPidFile(clusterFolder(join(parent, 'data'))))?.pid ?? 0, 'SIGKILL');
  await expect.poll(() => query(database.appUrl, 'select 1 as one').catch(() => [])).toEqual([{ one: 1 }]);
  await database.stop();
});
