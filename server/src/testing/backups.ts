import { mkdtemp, readdir, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import { openArchive } from '../backup/archive.ts';
import type { Command } from '../backup/command.ts';
import { readConfig } from '../config.ts';
import { logTo } from '../logging.ts';
import type { TestApp } from './app.ts';

export type BackupTest = {
  command: Command;
  /** What the commands printed. */
  printed: string[];
  /** The folder of the archive, which does not exist yet. */
  folder: string;
  /** The commands with different settings, or another archive. */
  with: (settings: Record<string, string>, more?: Partial<Command>) => Command;
};

/** Backup commands for the database and files of a running service. */
export async function backupsOf(app: Pick<TestApp, 'database' | 'deps'>): Promise<BackupTest> {
  const root = await mkdtemp(join(tmpdir(), 'tenure-backups-'));
  afterAll(() => rm(root, { recursive: true, force: true }));
  await symlink(app.deps.config.DATA_DIR, join(root, 'files'));
  const printed: string[] = [];
  const folder = join(root, 'archive');
  const settings = {
    NODE_ENV: 'test',
    DATA_DIR: root,
    DATABASE_URL: app.database.appUrl,
    DATABASE_MIGRATION_URL: app.database.ownerUrl,
    BACKUP_URL: folder,
  };
  const print = (line: string) => void printed.push(line);
  const withSettings: BackupTest['with'] = (other, more) => ({
    config: readConfig({ ...settings, ...other }),
    log: logTo('silent'),
    print,
    ...more,
  });
  return { command: withSettings({}), printed, folder, with: withSettings };
}

/** The paths of all files in an archive. */
export async function filesOf(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
}

export const archiveIn = (folder: string) => openArchive(folder);
