import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { loadOrCreateKey, lockDataDir, prepareDataDir, writeOnce } from './data-dir.ts';

let dataDir: string;

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'tenure-data-'));
});

afterEach(() => rm(dataDir, { recursive: true }));

const modeOf = async (path: string): Promise<number> => (await stat(path)).mode & 0o777;

test('the data directory is closed to other users', async () => {
  await chmod(dataDir, 0o777);
  await prepareDataDir(dataDir);
  expect(await modeOf(dataDir)).toBe(process.geteuid?.() === 0 ? 0o711 : 0o700);
});

test('a data directory that cannot be made is named', async () => {
  await writeFile(join(dataDir, 'file'), '');
  await expect(prepareDataDir(join(dataDir, 'file', 'data'))).rejects.toThrow(/^DATA_DIR .*cannot be created/);
});

test('the key is made once, 32 random bytes that only the owner reads', async () => {
  const first = await loadOrCreateKey(dataDir);
  const second = await loadOrCreateKey(dataDir);
  expect(Buffer.from(first.key, 'base64')).toHaveLength(32);
  expect(first.replaced).toBe(false);
  expect(second).toEqual(first);
  expect(await modeOf(join(dataDir, 'app.key'))).toBe(0o600);
});

test('twenty first starts at once agree on one key and leave one file', async () => {
  const loaded = await Promise.all(Array.from({ length: 20 }, () => loadOrCreateKey(dataDir)));
  expect(new Set(loaded.map(({ key }) => key)).size).toBe(1);
  expect(await readdir(dataDir)).toEqual(['app.key']);
});

test('a key lost beside an existing database is replaced and the loss is logged once', async () => {
  const { key } = await loadOrCreateKey(dataDir);
  await mkdir(join(dataDir, 'postgres'));
  await writeFile(join(dataDir, 'postgres', 'PG_VERSION'), '18\n');
  expect(await loadOrCreateKey(dataDir)).toEqual({ key, replaced: false });
  await rm(join(dataDir, 'app.key'));
  const found = await loadOrCreateKey(dataDir);
  expect(found.replaced).toBe(true);
  expect(found.key).not.toBe(key);
  expect(await loadOrCreateKey(dataDir)).toEqual({ key: found.key, replaced: false });
});

test('a damaged key file is refused without being overwritten or shown', async () => {
  const path = join(dataDir, 'app.key');
  await writeFile(path, 'c2hvcnQ=\n');
  const failure = await loadOrCreateKey(dataDir).catch((error: Error) => error.message);
  expect(failure).toContain(path);
  expect(failure).not.toContain('c2hvcnQ=');
  expect(await readFile(path, 'utf8')).toBe('c2hvcnQ=\n');
});

test('a key file that others could read is closed again', async () => {
  await loadOrCreateKey(dataDir);
  await chmod(join(dataDir, 'app.key'), 0o644);
  await loadOrCreateKey(dataDir);
  expect(await modeOf(join(dataDir, 'app.key'))).toBe(0o600);
});

test('a file written once keeps its content', async () => {
  const path = join(dataDir, 'file');
  expect(await writeOnce(path, 'first')).toBe(true);
  expect(await writeOnce(path, 'second')).toBe(false);
  expect(await readFile(path, 'utf8')).toBe('first');
});

test('a process that took the lock a moment ago, and has not said who it is yet, is named too', async () => {
  const lock = await lockDataDir(dataDir);
  await rm(join(dataDir, 'service.pid'));
  const holder = wait(120).then(() => writeFile(join(dataDir, 'service.pid'), '123\n'));
  await expect(lockDataDir(dataDir)).rejects.toThrow('another Tenure service (process 123)');
  await holder;
  lock.release();
});

test('a data directory has one service at a time, and the second learns which process has it', async () => {
  const lock = await lockDataDir(dataDir);
  await expect(lockDataDir(dataDir)).rejects.toThrow(`in use by another Tenure service (process ${process.pid})`);
  lock.release();
  (await lockDataDir(dataDir)).release();
});

test('the number of a process that is gone locks no service out', async () => {
  await writeFile(join(dataDir, 'service.pid'), `${process.pid}\n`);
  const lock = await lockDataDir(dataDir);
  expect(await readdir(dataDir)).toContain('service.pid');
  lock.release();
  expect(await readdir(dataDir)).not.toContain('service.pid');
});
