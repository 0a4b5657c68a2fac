import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { lstat, mkdir, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { readConfig } from '../config.ts';
import { logTo } from '../logging.ts';
import { programOf } from '../testing/program.ts';
import { startS3 } from '../testing/s3-server.ts';
import { randomKey } from './disk.ts';
import { openIncoming } from './incoming.ts';
import { diskBackend, prepareFolder } from './disk-backend.ts';
import { moveFiles, MoveRefused } from './move.ts';
import type { Move } from './move.ts';
import { openPlace } from './open.ts';
import { placeOf } from './places.ts';
import { storeOf } from './store.ts';

const s3 = await startS3();
const scratch = await mkdtemp(join(tmpdir(), 'tenure-move-'));
const incoming = await openIncoming(join(scratch, 'own'));
afterAll(async () => {
  await s3.close();
  await rm(scratch, { recursive: true });
});

const bucketAt = (prefix: string) =>
  openPlace(placeOf(s3.address(prefix), readConfig({ DATA_DIR: scratch })), logTo('silent'));
let count = 0;
let from: Move['from'];
let keys: string[];

beforeEach(async () => {
  s3.fault = () => undefined;
  const root = join(scratch, `from-${(count += 1)}`);
  await prepareFolder(root);
  from = diskBackend(root);
  await from.writeMark('one');
  keys = [];
  for (let n = 0; n < 5; n += 1) {
    keys.push(randomKey());
    await writeFile(join(root, 'kept', keys.at(-1) ?? ''), Buffer.alloc(1_000 * n, n));
  }
});

const move = (to: Move['to'], more: Partial<Move> = {}) =>
  moveFiles({ from, to, incoming, rate: Infinity, progress: () => undefined, ...more });
const all = async (kept: Move['from']) =>
  (await Array.fromAsync(kept.list())).map(({ key, size }) => `${key} ${size}`).toSorted();

test('all files arrive, once, and those of the former place stay', async () => {
  const to = bucketAt('moved');
  expect(await move(to)).toEqual({ copied: 5, bytes: 10_000, there: 0 });
  expect(await all(to)).toEqual(await all(from));
  expect(await move(to)).toEqual({ copied: 0, bytes: 0, there: 5 });
  expect(await readdir(join(scratch, 'own', 'incoming'))).toEqual([]);
});

test('the way back to a folder is the same', async () => {
  const [bucket, root] = [bucketAt('back'), join(scratch, 'back')];
  await move(bucket);
  await prepareFolder(root);
  const to = diskBackend(root);
  expect(await moveFiles({ from: bucket, to, incoming, rate: Infinity, progress: () => undefined })).toMatchObject({
    copied: 5,
  });
  expect(await all(to)).toEqual(await all(from));
});

test('an interrupted move goes on where it was', async () => {
  const to = bucketAt('interrupted');
  await move(to, {
    progress: ({ copied }) => {
      if (copied === 2) throw new Error('killed');
    },
  }).catch((error: Error) => expect(error.message).toBe('killed'));
  expect(await move(to)).toMatchObject({ copied: 3, there: 2 });
});

test('a file that arrives damaged is removed and named', async () => {
  const root = join(scratch, `to-${count}`);
  await prepareFolder(root);
  const kept = diskBackend(root);
  const to = {
    ...kept,
    put: async (...[received, key]: Parameters<typeof kept.put>) => {
      await writeFile(received.path, Buffer.alloc(received.size, 9));
      await kept.put(received, key);
    },
  };
  await expect(move(to)).rejects.toThrow(MoveRefused);
  await expect(move(to)).rejects.toThrow(/arrived damaged in .*check it and try again/);
  // an empty file has no byte that could differ
  expect((await all(kept)).every((line) => line.endsWith(' 0'))).toBe(true);
});

test('the place of another installation, and one that was never used, are refused', async () => {
  const to = bucketAt('foreign');
  await to.writeMark('two');
  await expect(move(to)).rejects.toThrow('s3://files/foreign has the files of another installation');
  expect(await all(to)).toEqual([]);
  const unused = diskBackend(join(scratch, 'unused'));
  await expect(move(bucketAt('new'), { from: unused })).rejects.toThrow('was never used by the service');
});

test('a place from before there were marks is moved into the one that the service has marked', async () => {
  await rm(join(from.name, 'store-id'));
  const to = bucketAt('older');
  await to.writeMark('one');
  expect(await move(to)).toMatchObject({ copied: 5 });
});

test('a place is named by a path that can be one', () => {
  for (const address of ['file:///srv/%zz', 'file:///srv/%ff', 'file:///srv/%00', 'file:////'])
    expect(() => placeOf(address, readConfig({})), address).toThrow('is neither file: nor a path such as');
  expect(placeOf('file:///srv/one%20two/', readConfig({}))).toEqual({ kind: 'folder', name: '/srv/one two' });
});

const run = async (args: string[], settings: Record<string, string>) => {
  const child = spawn(process.execPath, programOf('move-files', args), {
    env: { PATH: process.env.PATH, DATA_DIR: join(scratch, 'command'), ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
    // a command that hangs counts as a failure too
    timeout: 20_000,
  });
  const closed = once(child, 'close');
  const [out, err] = await Promise.all([text(child.stdout), text(child.stderr)]);
  return { code: ((await closed) as [number])[0], out, err };
};

describe('npm run move-files', () => {
  test('moves before and after the settings are changed, and says what is next', async () => {
    const [place, target] = [`file://${from.name}`, s3.address('command')];
    const before = await run(['--to', target], { STORAGE_URL: place });
    expect(before).toMatchObject({ code: 0, err: '' });
    expect(before.out).toContain(
      `Copied 5 files (10.0 kB) from ${from.name} to s3://files/command; 0 already existed there.`,
    );
    expect(before.out).toContain('Now set STORAGE_URL to the new location and STORAGE_FALLBACK_URL to the former one');
    const after = await run([], { STORAGE_URL: target, STORAGE_FALLBACK_URL: place });
    expect(after).toMatchObject({ code: 0, err: '' });
    expect(after.out).toContain('Copied 0 files (0 bytes)');
    expect(after.out).toContain('0 left: remove STORAGE_FALLBACK_URL and restart the service. Nothing was deleted.');
    expect(after.out).not.toContain('secret');
  });

  test.each<[string[], string]>([
    [[], 'Give the new location with --to URL, or set STORAGE_URL and STORAGE_FALLBACK_URL.'],
    [['--rate', 'fast', '--to', 'file:///tmp/x'], '--rate must be a number of megabytes a second.'],
    [['--to', 's3://a:b@files?endpoint=http://127.0.0.1:1'], 's3://files cannot be reached (ECONNREFUSED)'],
    [['--to', 'file:///srv/%zz'], '--to is neither file: nor a path such as file:///srv/files'],
  ])('%j is refused in one line', async (args, line) => {
    const { code, out, err } = await run(args, {});
    expect([code, out, err.trimEnd().split('\n').length]).toEqual([1, '', 1]);
    expect(err).toContain(line);
  });
});

describe('npm run move-files into a folder', () => {
  const root = join(scratch, 'machine');
  const dataDir = join(root, 'data');
  const own = join(dataDir, 'files');
  beforeAll(async () => {
    for (const folder of ['postgres/base', 'wal-spool']) await mkdir(join(dataDir, folder), { recursive: true });
    await mkdir(join(root, 'backups'));
    await mkdir(join(root, 'filled'), { mode: 0o755 });
    await writeFile(join(root, 'filled/notes.txt'), '');
    await writeFile(join(root, 'a-file'), '');
    await symlink(join(dataDir, 'postgres'), join(root, 'link'));
    await prepareFolder(own);
    await diskBackend(own).writeMark('one');
    await writeFile(join(own, 'kept', randomKey()), 'one');
  });
  /** Every path below the machine's folder, with its permissions. */
  const state = async () => {
    const names = await readdir(root, { recursive: true });
    return Promise.all(names.toSorted().map(async (name) => `${name} ${(await lstat(join(root, name))).mode}`));
  };
  const moveTo = (path: string) =>
    run(['--to', `file://${path}`], { DATA_DIR: dataDir, BACKUP_URL: join(root, 'backups') });

  const ofItsOwn = 'is inside DATA_DIR, which has folders of its own: give file: or a folder outside of it.';
  test.each<[string, string]>([
    [dataDir, ofItsOwn],
    [join(dataDir, 'postgres'), ofItsOwn],
    [join(dataDir, 'postgres/base/new'), ofItsOwn],
    [join(dataDir, 'wal-spool'), ofItsOwn],
    [join(dataDir, 'new'), ofItsOwn],
    [join(root, 'link'), ofItsOwn],
    [join(root, 'link/new'), ofItsOwn],
    [own, `The files are already in ${own}.`],
    [join(own, 'kept'), `is inside ${own}, where the files are: give a folder outside of it.`],
    [join(own, 'new'), `is inside ${own}, where the files are: give a folder outside of it.`],
    [join(root, 'backups'), 'is inside BACKUP_URL, where the backups are: give a folder outside of it.'],
    [join(root, 'backups/new'), 'is inside BACKUP_URL, where the backups are: give a folder outside of it.'],
    [root, 'contains other files, for example'],
    [join(root, 'filled'), 'contains other files, for example notes.txt: give a new or an empty folder.'],
    [join(root, 'a-file'), 'is not a folder: choose another location.'],
    [join(root, 'a-file/new'), 'is not a folder: choose another location.'],
    ['/proc/tenure/files', 'does not exist: check the path and whether its disk is mounted.'],
    ['/sys/tenure', 'choose another location.'],
  ])('%s is refused in one line, and nothing changes', async (path, line) => {
    const before = await state();
    const { code, out, err } = await moveTo(path);
    expect([code, out, err.trimEnd().split('\n')]).toEqual([1, '', [expect.stringContaining(line)]]);
    // the folder of the test has a random name
    expect(err.replaceAll(root, '')).not.toMatch(/E[A-Z]{4,}|answered/);
    expect(await state()).toEqual(before);
  });

  test('a new one gets the files, with the folders above it', async () => {
    const target = join(root, 'srv/tenure/files');
    expect(await moveTo(target)).toMatchObject({ code: 0, err: '' });
    expect((await lstat(target)).mode & 0o777).toBe(0o700);
    expect(await moveTo(target)).toMatchObject({ code: 0, out: expect.stringContaining('1 already existed there') });
  });

  test('a refusal for another reason leaves no new folder', async () => {
    const unused = join(scratch, 'never-used');
    const target = join(scratch, 'not-made');
    const { code, err } = await run(['--to', `file://${target}`], { STORAGE_URL: `file://${unused}` });
    expect([code, err]).toEqual([1, `${unused} was never used by the service: start it once.\n`]);
    expect(await readdir(scratch)).not.toContain('not-made');
  });
});

test('no more bytes than the rate allows are copied in a second', async () => {
  const started = performance.now();
  await move(bucketAt('slow'), { rate: 20_000 });
  // 10,000 bytes at 20,000 per second
  expect(performance.now() - started).toBeGreaterThanOrEqual(495);
});

test('while files are moved, new ones go to the new place and all are read', async () => {
  const kept = bucketAt('both');
  const store = storeOf(incoming, { kept, fallback: from });
  const key = await store.keep(await store.receive([Buffer.from('new')], { maxBytes: 3 }));
  expect([await kept.sizeOf(key), await from.sizeOf(key)]).toEqual([3, null]);
  const old = keys[3] ?? '';
  const found = await store.open(old);
  expect(found?.size).toBe(3_000);
  found?.stream.destroy();
  await move(kept);
  await store.remove(old);
  expect([await kept.sizeOf(old), await from.sizeOf(old), await store.open(old)]).toEqual([null, null, null]);
});
