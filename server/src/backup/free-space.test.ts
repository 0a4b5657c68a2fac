import { appendFile, mkdir, mkdtemp, readdir, rm, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { logTo } from '../logging.ts';
import { startApp } from '../testing/app.ts';
import { backupsOf } from '../testing/backups.ts';
import { openArchive } from './archive.ts';
import { chunkReader } from './chunks.ts';
import { backup } from './command.ts';
import { findBackup, readManifest } from './manifest.ts';
import { checkRestore, requiredBytes } from './restore-embedded.ts';
import type { Content } from './rows.ts';
import type { Checks } from './restore.ts';
import { watchFreeSpace } from './free-space.ts';

const long = 240_000;
const MB = 1_000_000;
let root: string;
let content: Content;

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'tenure-room-'));
  afterAll(() => rm(root, { recursive: true, force: true }));
  const app = await startApp();
  const { id } = await app.make.employee();
  const key = await app.deps.files.keep(await app.deps.files.receive([Buffer.from('picture')], { maxBytes: 100 }));
  await app.owner.query('update employees set picture_key = $1 where id = $2', [key, id]);
  const made = await backupsOf(app);
  await backup(made.command);
  const archive = openArchive(made.folder);
  const { manifest, open } = await readManifest(archive, await findBackup(archive), undefined);
  content = { manifest, read: chunkReader(archive, Buffer.from(manifest.naming_key, 'hex'), open) };
}, long);

const freeOf = async (folder: string) => {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
};

/** A trial on a disk that has 150 MB more than it needs, and a file that fills that disk. */
async function openTrial(name: string) {
  const dataDir = join(root, name);
  await mkdir(dataDir);
  const filler = join(root, `${name}.filler`);
  const reserve = (await freeOf(dataDir)) - requiredBytes(content) - 150 * MB;
  const fill = async () => {
    while ((await freeOf(dataDir)) >= reserve) await appendFile(filler, Buffer.alloc(16 * MB, 1));
  };
  const run = async (read: Content['read'], checks: Checks = async () => []) => {
    try {
      return await checkRestore(
        { dataDir, log: logTo('silent'), reserve },
        { ...content, read },
        { mail: 'hold', checks },
      );
    } finally {
      await rm(filler, { force: true });
      expect(await readdir(dataDir)).not.toContain('restore-check');
    }
  };
  return { fill, run };
}

const ended = /has less than DISK_RESERVE_MB \(\d+ MB\) left, so the restore was stopped/;

test('a disk is watched until it has less than the reserve', async () => {
  const enough = watchFreeSpace(root, 0);
  const low = watchFreeSpace(root, Infinity);
  await vi.waitFor(() => expect(low.signal.aborted).toBe(true));
  expect(low.signal.reason).toMatchObject({ message: expect.stringMatching('left, so the restore was stopped') });
  await enough.checkNow();
  expect(enough.signal.aborted).toBe(false);
  for (const room of [enough, low]) room.stop();
});

test('a trial is refused at the next chunk when others fill the disk meanwhile', { timeout: long }, async () => {
  const { fill, run } = await openTrial('chunk');
  const read = vi.fn<Content['read']>(async (name, most) => {
    await fill();
    return content.read(name, most);
  });
  await expect(run(read)).rejects.toThrow(ended);
  expect(read.mock.calls.length).toBeLessThan(3);
});

test('a trial is ended in the middle of a statement too', { timeout: long }, async () => {
  const { fill, run } = await openTrial('statement');
  const checks: Checks = async (db) => {
    await fill();
    await sql`select pg_sleep(200)`.execute(db);
    return [];
  };
  await expect(run(content.read, checks)).rejects.toThrow(ended);
});

test(
  'a second trial is refused before and after the files, and leaves the first alone',
  { timeout: long },
  async () => {
    const dataDir = join(root, 'twice');
    const begin = (read: Content['read'], checks: Checks) =>
      checkRestore({ dataDir, log: logTo('silent'), reserve: 0 }, { ...content, read }, { mail: 'hold', checks });
    const second = () =>
      begin(content.read, async () => []).then(
        () => 'restored',
        (error: Error) => error.message,
      );
    let early: Promise<string> | undefined;
    let late = '';
    const { faults } = await begin(
      async (name, most) => {
        await (early ??= second());
        return content.read(name, most);
      },
      async () => {
        late = await second();
        return [];
      },
    );
    const refused = `Another restore is running in ${join(dataDir, 'restore-check')}: wait until it has ended.`;
    expect([faults, await early, late]).toEqual([[], refused, refused]);
    expect(await readdir(dataDir)).toEqual([]);
  },
);
