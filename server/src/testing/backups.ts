import { mkdtemp, readdir, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, inject } from 'vitest';
import { openArchive } from '../backup/archive.ts';
import type { Command } from '../backup/command.ts';
import { readConfig } from '../config.ts';
import { randomToken } from '../crypto/crypto.ts';
import { logTo } from '../logging.ts';
import type { TestApp, TestDatabase } from './app.ts';

export type BackupTest = {
  command: Command;
  /** What the commands printed. */
  printed: string[];
  /** The folder of the archive, which is not there yet. */
  folder: string;
  /** The commands with other settings, or another archive. */
  with: (settings: Record<string, string>, more?: Partial<Command>) => Command;
};

/** Commands of backups on the database and the files of a running service. */
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

/** A database without a table. */
export async function emptyDatabase(): Promise<TestDatabase> {
  const { ownerUrl, appUrl } = inject('cluster');
  const name = `r_${randomToken(9)
    .toLowerCase()
    .replaceAll(/[^a-z0-9]/g, '0')}`;
  const at = (url: string, database: string) => Object.assign(new URL(url), { pathname: `/${database}` }).href;
  const client = new pg.Client({ connectionString: at(ownerUrl, 'postgres') });
  await client.connect();
  await client.query(`create database ${name} template template0`);
  await client.end();
  return { ownerUrl: at(ownerUrl, name), appUrl: at(appUrl, name) };
}

export const archiveIn = (folder: string) => openArchive(folder);
