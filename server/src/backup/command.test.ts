import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { readConfig } from '../config.ts';
import { lockDataDir } from '../db/data-dir.ts';
import { logTo } from '../logging.ts';
import { openArchive } from './archive.ts';
import { archiveOf, backup, secretsOf } from './command.ts';
import { cipherToRead } from './encryption.ts';
import { findBackup, nameOfTime } from './manifest.ts';
import { Refusal } from './refusal.ts';

const folder = await mkdtemp(join(tmpdir(), 'tenure-backup-command-'));
afterAll(() => rm(folder, { recursive: true, force: true }));
const config = readConfig({});

test.each([
  ['backups', join(process.cwd(), 'backups')],
  ['/mnt/backups/', '/mnt/backups'],
  ['/mnt/a/../backups', '/mnt/backups'],
  ['file:///mnt/with%20space/', '/mnt/with space'],
])('the archive of --to %s is noted as %s', (given, root) => {
  expect(archiveOf({ config, folder: given }, '--to').root).toBe(root);
});

test('a folder as identity is refused in one line', async () => {
  await expect(secretsOf({ config, identity: folder })).rejects.toThrow(
    `${folder} is a folder: give the name of a file.`,
  );
});

test.each(['AGE-SECRET-KEY-1GARBAGE', 'AGE-SECRET-KEY-PQ-1ABC'])(
  'a damaged identity is refused without a part of it (%s)',
  async (identity) => {
    await expect(cipherToRead(openArchive(folder), { identity })).rejects.toThrow(
      'The key in the identity file is damaged: give the file that age-keygen wrote, or another copy of it.',
    );
  },
);

/** A backup that is complete, checking by its name. */
async function noted(root: string, time: number): Promise<string> {
  const id = `${nameOfTime(new Date(time).toISOString())}-0000aa`;
  await mkdir(join(root, 'backups', id), { recursive: true });
  await writeFile(join(root, 'backups', id, 'manifest.json'), '{}');
  return id;
}

test('a backup of the future counts only when it is named', async () => {
  const root = join(folder, 'archive');
  const archive = openArchive(root);
  const hour = 3_600_000;
  await noted(root, Date.now() - 48 * hour);
  const today = await noted(root, Date.now() - hour);
  expect(await findBackup(archive)).toBe(today);
  const soon = await noted(root, Date.now() + 12 * hour);
  expect(await findBackup(archive)).toBe(soon);
  const future = await noted(root, Date.now() + 48 * hour);
  await expect(findBackup(archive)).rejects.toThrow(
    `${future}, the newest backup, is dated in the future: correct the clock of this machine, or name the backup that you want.`,
  );
  expect(await findBackup(archive, today)).toBe(today);
  expect(await findBackup(archive, future)).toBe(future);
});

test('while the database of a service that runs is away, its service is not to be stopped', async () => {
  const dataDir = join(folder, 'data');
  await mkdir(join(dataDir, 'postgres'), { recursive: true });
  await writeFile(join(dataDir, 'postgres', 'PG_VERSION'), '18\n');
  const lock = await lockDataDir(dataDir);
  const settings = readConfig({ DATA_DIR: dataDir, BACKUP_URL: join(folder, 'others') });
  const made = backup({ config: settings, log: logTo('silent'), print: () => undefined });
  await expect(made).rejects.toThrow(
    new Refusal(`A service is running on ${dataDir}, but its database does not answer: check its log, and try again.`),
  );
  lock.release();
});
