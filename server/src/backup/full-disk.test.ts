import { execFileSync, spawnSync } from 'node:child_process';
import { appendFile, mkdir, mkdtemp, readdir, rm, statfs, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { randomBytes } from '../crypto/crypto.ts';
import { openFiles } from '../files/open.ts';
import { reasonsOf } from '../logging.ts';
import { startApp } from '../testing/app.ts';
import type { TestApp } from '../testing/app.ts';
import { archiveIn, backupsOf, filesOf } from '../testing/backups.ts';
import { backup, verifyCommand } from './command.ts';
import { filesOf as placeForFiles, refuseStoreInUse } from './restore-command.ts';
import { keepReserve } from './free-space.ts';

const MB = 1_048_576;
let app: TestApp;
let root: string;
beforeAll(async () => {
  app = await startApp();
  await app.make.employee();
  root = await mkdtemp(join(tmpdir(), 'tenure-full-disk-'));
});
afterAll(() => rm(root, { recursive: true, force: true }));

const refused =
  /is on the disk of DATA_DIR, which would have less than DISK_RESERVE_MB \(\d+ MB\) left: free some space, or give a folder on another disk\.$/;

test('a backup is refused before it begins where the disk of the database has less than its reserve', async () => {
  const { with: withSettings, folder } = await backupsOf(app);
  const command = withSettings({ DISK_RESERVE_MB: '1000000' });
  await expect(backup(command)).rejects.toThrow(refused);
  expect(await readdir(join(folder, '..'))).not.toContain('archive');
  const { rows } = await app.owner.query('select status, error from backups order by id desc limit 1');
  expect(rows).toEqual([{ status: 'failed', error: expect.stringMatching(refused) }]);
});

test('a DATA_DIR that is not there yet has the disk above it', async () => {
  const { with: withSettings } = await backupsOf(app);
  const files = { STORAGE_URL: `file://${app.deps.config.DATA_DIR}` };
  const away = { DATA_DIR: join(root, 'not/yet'), BACKUP_URL: join(root, 'of-another-machine'), ...files };
  expect(await backup(withSettings({ ...away, DISK_RESERVE_MB: '1' }))).toMatchObject({ missingFiles: [] });
  await expect(backup(withSettings({ ...away, DISK_RESERVE_MB: '1000000' }))).rejects.toThrow(refused);
});

test('a backup is refused inside the database and among the files', async () => {
  const { with: withSettings } = await backupsOf(app);
  const dataDir = join(root, 'own');
  await mkdir(join(dataDir, 'postgres/base'), { recursive: true });
  const kept = join(app.deps.config.DATA_DIR, 'kept');
  await symlink(join(dataDir, 'postgres'), join(root, 'link'));
  const owners = new Map([
    [join(dataDir, 'postgres'), join(dataDir, 'postgres')],
    [join(dataDir, 'postgres/new'), join(dataDir, 'postgres')],
    [join(root, 'link/a/b'), join(dataDir, 'postgres')],
    // a restore gives the whole folder another name
    [join(dataDir, 'files/backups'), join(dataDir, 'files')],
    [join(kept, 'new'), kept],
  ]);
  for (const [folder, owner] of owners)
    await expect(
      backup(
        withSettings({ DATA_DIR: dataDir, BACKUP_URL: folder, STORAGE_URL: `file://${app.deps.config.DATA_DIR}` }),
      ),
      folder,
    ).rejects.toThrow(`${folder} is inside ${owner}, a folder of the service: choose another one.`);
  expect(await readdir(join(dataDir, 'postgres'))).toEqual(['base']);
});

test('a place of files that is a file is refused in one line, by a restore and by the service', async () => {
  const { with: withSettings } = await backupsOf(app);
  const file = join(root, 'a-file');
  await appendFile(file, '');
  for (const place of [file, join(file, 'below')]) {
    const command = withSettings({ STORAGE_URL: `file://${place}` });
    const asked = {
      ...command,
      replace: false,
      mail: 'hold',
      confirm: async () => true,
      checks: async () => [],
    } as const;
    const line = `${place} is not a folder: choose another location.`;
    await expect(refuseStoreInUse(asked, undefined)).rejects.toThrow(line);
    await expect(placeForFiles(command)).rejects.toThrow(line);
    const refusal = await openFiles(command.config, command.log).catch((error: Error) => error);
    expect(reasonsOf(refusal as Error)).toEqual([line]);
  }
});

test('a place of files inside the database is refused, and nothing is created', async () => {
  const { with: withSettings } = await backupsOf(app);
  const dataDir = join(root, 'with-cluster');
  for (const place of [join(dataDir, 'postgres'), join(dataDir, 'postgres/files')]) {
    const { config, log } = withSettings({ DATA_DIR: dataDir, STORAGE_URL: `file://${place}` });
    await expect(openFiles(config, log)).rejects.toThrow(
      `STORAGE_URL: ${place} is inside the database: give a folder outside of it.`,
    );
  }
  expect(await readdir(root)).not.toContain('with-cluster');
});

test('an archive takes nothing more once others have filled that disk', async () => {
  const free = async () => {
    const { bavail, bsize } = await statfs(root);
    return bavail * bsize;
  };
  const filler = join(root, 'filler');
  onTestFinished(() => rm(filler, { force: true }));
  const reserve = (await free()) - 128 * MB;
  const archive = await keepReserve(archiveIn(join(root, 'archive')), { dataDir: root, reserve });
  await archive.write('one', 'one');
  // more than the reserve, because other processes may free some space meanwhile
  while ((await free()) >= reserve - 64 * MB) await appendFile(filler, Buffer.alloc(16 * MB, 1));
  await expect(archive.write('two', 'two')).rejects.toThrow(refused);
  expect(await archive.list('.')).toEqual(['one']);
});

/** A disk in memory; only root can mount one. */
const mayMount =
  process.geteuid?.() === 0 && spawnSync('unshare', ['-m', 'mount', '-t', 'tmpfs', 'none', '/mnt']).status === 0;

async function mounted(name: string, size: string): Promise<string> {
  const folder = join(root, name);
  await mkdir(folder);
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${size},mode=700`, 'none', folder]);
  onTestFinished(() => void execFileSync('umount', ['-l', folder]));
  return folder;
}

/** An incompressible file, referenced by a row. */
async function attach(bytes: number): Promise<void> {
  const source = Array.from({ length: bytes / MB }, () => randomBytes(MB));
  const key = await app.deps.files.keep(await app.deps.files.receive(source, { maxBytes: bytes }));
  await app.owner.query('update employees set picture_key = $1', [key]);
}

/** Finished chunks, and no half-written file: a concurrent backup may already rely on them. */
const leftIn = async (folder: string) => {
  const names = (await filesOf(folder)).map((path) => path.slice(folder.length + 1));
  expect(names.filter((name) => name !== 'archive.json' && !/^chunks\/[0-9a-f]{2}\/[0-9a-f]{64}$/.test(name))).toEqual(
    [],
  );
  return names.length - 1;
};

test.runIf(mayMount)(
  'a backup that would use up the reserve ends in the middle; the next one takes its chunks',
  async () => {
    const disk = await mounted('shared', '64m');
    const { with: withSettings } = await backupsOf(app);
    const files = { STORAGE_URL: `file://${app.deps.config.DATA_DIR}` };
    await attach(24 * MB);
    const command = withSettings({
      DATA_DIR: disk,
      BACKUP_URL: join(disk, 'archive'),
      DISK_RESERVE_MB: '44',
      ...files,
    });
    await expect(backup(command)).rejects.toThrow(refused);
    expect(await leftIn(join(disk, 'archive'))).toBeGreaterThan(0);
    const enough = withSettings({ DATA_DIR: disk, BACKUP_URL: join(disk, 'archive'), DISK_RESERVE_MB: '16', ...files });
    const { id, sentBytes, bytes } = await backup(enough);
    expect(sentBytes).toBeLessThan(bytes - 7 * MB);
    expect(await verifyCommand(enough)).toMatchObject({ id, wasRead: true });
  },
);

test.runIf(mayMount)('a reserve of another disk counts for nothing', async () => {
  const disk = await mounted('other', '64m');
  const { with: withSettings } = await backupsOf(app);
  await attach(MB);
  const command = withSettings({ BACKUP_URL: join(disk, 'archive'), DISK_RESERVE_MB: '1000000' });
  expect(await backup(command)).toMatchObject({ missingFiles: [] });
});

test.runIf(mayMount)(
  'a full disk of its own ends a backup in one line, with no file that is half written',
  async () => {
    const disk = await mounted('full', '16m');
    const { with: withSettings, command } = await backupsOf(app);
    await attach(24 * MB);
    const small = withSettings({ BACKUP_URL: disk });
    await expect(backup(small)).rejects.toThrow(
      `${disk} has no space left: free some space, or choose another location.`,
    );
    expect(await leftIn(disk)).toBeGreaterThan(0);
    await attach(MB);
    await backup(small);
    expect(await verifyCommand(small)).toMatchObject({ wasRead: true });
    await backup(command);
  },
);
