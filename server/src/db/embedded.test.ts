import { mkdir, mkdtemp, readdir, readFile, readlink, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { type Logger, pino } from 'pino';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { type EmbeddedDatabase, startEmbedded } from './embedded.ts';
import { mayMount, mountDisk } from '../testing/mounts.ts';
import { isServerOf } from './embedded/processes.ts';

const asRoot = process.geteuid?.() === 0;
const onLinux = process.platform === 'linux';

let dataDir: string;
let database: EmbeddedDatabase;
let log: Logger;
let logged: string[] = [];
const calls: string[] = [];

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'tenure-embedded-'));
  log = pino({ level: 'debug' }, { write: (line: string) => void logged.push(line) });
  await start();
  await query(database.ownerUrl, 'create table kept (id int primary key)');
  await query(database.ownerUrl, 'grant select, insert on kept to tenure_app');
});

afterEach(() => {
  logged = [];
  calls.length = 0;
});

afterAll(async () => {
  await database.stop();
  await rm(dataDir, { recursive: true });
});

async function start(): Promise<void> {
  const onDown = (reason: string): void => void calls.push(`down ${reason}`);
  database = await startEmbedded({ dataDir, log, onDown, onUp: () => calls.push('up') });
}

async function query(url: string, sql: string): Promise<Record<string, unknown>[]> {
  const client = new Client({ connectionString: url });
  client.on('error', () => {});
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(sql)).rows;
  } finally {
    await client.end();
  }
}

async function setting(name: string): Promise<unknown> {
  const [row] = await query(database.appUrl, `select current_setting('${name}') as value`);
  return row?.['value'];
}

test('a start removes the copies that killed commands left', async () => {
  await database.stop();
  const names = ['restore', 'move', 'upgrade'];
  for (const name of names) await mkdir(join(dataDir, name, 'postgres'), { recursive: true });
  await start();
  expect((await readdir(dataDir)).filter((name) => names.includes(name))).toEqual([]);
  await database.stop();
  await mkdir(join(dataDir, 'restore', 'of an operator'), { recursive: true });
  await start();
  expect(await readdir(join(dataDir, 'restore'))).toEqual(['of an operator']);
  await rm(join(dataDir, 'restore'), { recursive: true });
  expect(await query(database.appUrl, 'select count(*)::int as rows from kept')).toEqual([{ rows: 0 }]);
});

test('what protects acknowledged rows is on', async () => {
  const names = ['fsync', 'full_page_writes', 'synchronous_commit', 'data_checksums'];
  expect(await Promise.all(names.map(setting))).toEqual(['on', 'on', 'on', 'on']);
});

test('the application role has a password, and neither it nor the owner is a superuser', async () => {
  const wrong = new URL(database.appUrl);
  wrong.password = 'tenure';
  await expect(query(wrong.href, 'select 1')).rejects.toThrow('password authentication failed');
  await expect(query(database.appUrl, 'drop table kept')).rejects.toThrow('must be owner');
  const superusers = await query(database.ownerUrl, 'select rolname from pg_roles where rolsuper and rolcanlogin');
  expect(superusers).toEqual([{ rolname: 'postgres' }]);
});

test('no client signs in as the superuser, with or without a password', async () => {
  const url = new URL(database.ownerUrl);
  url.username = 'postgres';
  for (const password of ['', 'postgres', url.password]) {
    url.password = password;
    await expect(query(url.href, 'select 1')).rejects.toThrow('password');
  }
});

test('the log tells of failed sign-ins but holds no statement and no value', async () => {
  const canary = 'canary-4711';
  await query(database.appUrl, `select 1 / 0 as "${canary}"`).catch(() => {});
  await query(database.appUrl, `select '${canary}'::int`).catch(() => {});
  await query(database.appUrl, `insert into kept values (0), (0) -- ${canary}`).catch(() => {});
  const wrong = new URL(database.appUrl);
  wrong.password = canary;
  await query(wrong.href, 'select 1').catch(() => {});
  await expect.poll(() => logged.join('')).toContain('password authentication failed for user');
  expect(logged.join('')).not.toContain(canary);
});

test.runIf(onLinux)('the server leads a process group of its own and never runs as root', async () => {
  const status = await readFile(`/proc/${database.pid()}/stat`, 'utf8');
  const [, parent, group] = status.slice(status.lastIndexOf(')') + 2).split(' ');
  expect(Number(parent)).toBe(process.pid);
  expect(Number(group)).toBe(database.pid());
  expect((await stat(`/proc/${database.pid()}`)).uid).not.toBe(0);
});

test('its folder is closed to all others, and so are the passwords', async () => {
  const mode = async (name: string): Promise<number> => (await stat(join(dataDir, name))).mode & 0o777;
  expect(await mode('.')).toBe(asRoot ? 0o711 : 0o700);
  expect(await mode('postgres')).toBe(0o700);
  expect(await mode('database.json')).toBe(0o600);
});

test('a second start is refused and names the process; the first goes on', async () => {
  await expect(startEmbedded({ dataDir, log })).rejects.toThrow(
    `DATA_DIR ${dataDir} is in use by another Tenure service (process ${process.pid})`,
  );
  expect(await query(database.appUrl, 'select 1 as one')).toEqual([{ one: 1 }]);
});

test('a killed server is started again by itself, and what was acknowledged is there', async () => {
  await query(database.appUrl, 'insert into kept values (1)');
  const killed = database.pid();
  process.kill(killed, 'SIGKILL');
  await expect.poll(() => calls).toEqual(['down SIGKILL', 'up']);
  expect(database.pid()).not.toBe(killed);
  expect(await query(database.appUrl, 'select id from kept')).toEqual([{ id: 1 }]);
});

test('a server killed with a busy backend waits for it to end', async () => {
  const client = new Client({ connectionString: database.appUrl });
  client.on('error', () => {});
  await client.connect();
  const busy = client.query('select count(*) from generate_series(1, 1e12::bigint)').catch(() => 'cut');
  await sleep(50);
  process.kill(database.pid(), 'SIGKILL');
  await expect.poll(() => calls).toEqual(['down SIGKILL', 'up']);
  expect(await busy).toBe('cut');
});

test('after a stop no process is left, and the next start has every row', async () => {
  const stopped = database.pid();
  await database.stop();
  expect(await isServerOf(join(dataDir, 'postgres'), stopped)).toBe(false);
  expect(calls).toEqual([]);
  await start();
  expect(await query(database.appUrl, 'select id from kept')).toEqual([{ id: 1 }]);
});

test('a stop asked for twice, the second time at once, loses nothing', async () => {
  await query(database.appUrl, 'insert into kept values (2)');
  await Promise.all([database.stop(), database.stop('immediate')]);
  await start();
  expect(await query(database.appUrl, 'select count(*)::int as n from kept')).toEqual([{ n: 2 }]);
});

test('lost passwords are replaced, and the old ones open nothing', async () => {
  const old = database.appUrl;
  await database.stop();
  await rm(join(dataDir, 'database.json'));
  await start();
  await expect(query(old, 'select 1')).rejects.toThrow('password authentication failed');
  expect(await query(database.appUrl, 'select count(*)::int as n from kept')).toEqual([{ n: 2 }]);
});

test('a cluster of another major version is refused with the way out, untouched and unlocked', async () => {
  await database.stop();
  const version = join(dataDir, 'postgres', 'PG_VERSION');
  await writeFile(version, '17\n');
  await expect(startEmbedded({ dataDir, log })).rejects.toThrow(
    /made by PostgreSQL 17.*Nothing was changed\. .*docs\/operations\.md, "PostgreSQL major version"/,
  );
  expect(await readFile(version, 'utf8')).toBe('17\n');
  await writeFile(version, '18\n');
  await start();
});

test.runIf(onLinux)(
  'a number in postmaster.pid that now belongs to another process does not stop the start',
  async () => {
    const pidFile = join(dataDir, 'postgres', 'postmaster.pid');
    const text = await readFile(pidFile, 'utf8');
    await database.stop('immediate');
    await writeFile(pidFile, text.replace(/^\d+/, String(process.ppid)));
    await start();
    expect(await query(database.appUrl, 'select 1 as one')).toEqual([{ one: 1 }]);
    expect(await readlink(`/proc/${process.ppid}/exe`)).not.toBe('');
  },
);

test('a server that cannot start says why, and leaves DATA_DIR free', async () => {
  await database.stop();
  await expect(startEmbedded({ dataDir, log, settings: { max_connections: 'many' } })).rejects.toThrow(
    /PostgreSQL did not start .*max_connections/,
  );
  await start();
});

test.runIf(mayMount)('a disk without room for a database is one line that says what to do', async () => {
  const { folder } = await mountDisk('20m');
  await expect(startEmbedded({ dataDir: folder, log })).rejects.toThrow(
    `${folder} has no space left: free some space, or choose another location.`,
  );
});
