import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type pg from 'pg';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { startEmbedded } from '../db/embedded.ts';
import { migrate } from '../db/migrate.ts';
import { brokenInvariants } from '../invariants/invariants.ts';
import { logTo } from '../logging.ts';
import { startApp } from '../testing/app.ts';
import { backupsOf } from '../testing/backups.ts';
import type { BackupTest } from '../testing/backups.ts';
import { mayMount, mountDisk } from '../testing/mounts.ts';
import { asOwner, asOwnerIn, contentOf, runCommand, stateOf } from '../testing/moves-of-databases.ts';
import { backup } from './command.ts';
import { lineOf } from './refusal.ts';
import { restore } from './restore-command.ts';
import type { RestoreCommand } from './restore-command.ts';

/** Restores whose disk fills up at each of their phases. */

const long = 1_800_000;
const log = logTo('silent');
let archive: BackupTest;
let root: string;

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'tenure-restore-full-'));
  const app = await startApp();
  await app.make.admin();
  for (let count = 0; count < 20; count += 1) await app.make.employee();
  const key = await app.deps.files.keep(await app.deps.files.receive([Buffer.from('picture')], { maxBytes: 1_000 }));
  await app.owner.query('update employees set picture_key = $1 where id = (select min(id) from employees)', [key]);
  archive = await backupsOf(app);
  await backup(archive.command);
}, long);
afterAll(() => rm(root, { recursive: true, force: true }));

type Place = { settings: Record<string, string>; fill: () => void };

/** A restore whose disk is full after it has printed these words. */
function commandFor({ settings, fill }: Place, fillAt?: string): RestoreCommand {
  const print = (line: string) => {
    if (fillAt !== undefined && line.includes(fillAt)) fill();
  };
  const rest = { replace: true, mail: 'hold', confirm: async () => true, checks: brokenInvariants } as const;
  return { ...archive.with(settings), ...rest, print };
}

const outcome = (command: RestoreCommand) =>
  restore(command).then(
    () => 'restored',
    (error: Error) => lineOf(error),
  );

const withUser = async (client: pg.Client) => {
  await client.query("insert into users (email) values ('before@acme.example')");
  return contentOf(client);
};

test.runIf(mayMount)('a full disk of DATA_DIR ends it in one line; the database stays', { timeout: long }, async () => {
  const disk = await mountDisk('900m');
  const dataDir = join(disk.folder, 'data');
  const settings = { DATA_DIR: dataDir, DATABASE_URL: '', DATABASE_MIGRATION_URL: '' };
  const database = await startEmbedded({ dataDir, log });
  await migrate(database.ownerUrl, 'tenure_app');
  const before = await asOwner(database, withUser);
  await database.stop();
  const names = (await readdir(dataDir)).toSorted();
  const place = { settings, fill: () => disk.fill() };

  const full = `${dataDir} has no space left: free some space, or choose another location.`;
  // what is written later fits into the WAL that is there
  for (const fillAt of ['The restore will', 'Files copied', 'Tables built', 'Rows copied']) {
    expect(await outcome(commandFor(place, fillAt)), fillAt).toBe(full);
    disk.clear();
    expect((await readdir(dataDir)).toSorted(), fillAt).toEqual(names);
    expect(await asOwnerIn(dataDir, contentOf), fillAt).toEqual(before);
  }

  disk.fill();
  const command = ['--replace', '--yes'];
  const asked = { settings: { DATA_DIR: dataDir, BACKUP_URL: archive.folder } };
  expect(await runCommand('restore', command, asked)).toMatchObject({
    code: 1,
    out: '',
    err: expect.stringMatching(/^[^\n]+: free some[^\n]+\n$/),
  });
  disk.clear();
  expect(await asOwnerIn(dataDir, contentOf)).toEqual(before);
  expect(await runCommand('restore', command, asked)).toMatchObject({ code: 0, err: '' });
  expect((await readdir(dataDir)).filter((name) => name.startsWith('postgres.before-'))).toHaveLength(1);
});

test.runIf(mayMount)('a full disk of a database server ends it in one line', { timeout: long }, async () => {
  const disk = await mountDisk('900m');
  const server = await startEmbedded({ dataDir: join(disk.folder, 'server'), log });
  onTestFinished(() => server.stop());
  await migrate(server.ownerUrl, 'tenure_app');
  const before = await asOwner(server, withUser);
  const settings = {
    DATA_DIR: join(root, 'files'),
    DATABASE_URL: server.appUrl,
    DATABASE_MIGRATION_URL: server.ownerUrl,
  };
  const place = { settings, fill: () => disk.fill() };
  for (const fillAt of ['Files copied', 'Tables built', 'Rows copied']) {
    expect(await outcome(commandFor(place, fillAt)), fillAt).toMatch(/free some space/);
    disk.clear();
    await asOwner(server, async (client) => {
      expect(await stateOf(client), fillAt).toBe('in use');
      expect(await contentOf(client), fillAt).toEqual(before);
    });
  }
  expect(await outcome(commandFor(place))).toBe('restored');
});

test.runIf(mayMount)('a read-only DATA_DIR refuses it in one line', { timeout: long }, async () => {
  const disk = await mountDisk('900m');
  const dataDir = join(disk.folder, 'data');
  const database = await startEmbedded({ dataDir, log });
  await migrate(database.ownerUrl, 'tenure_app');
  const before = await asOwner(database, withUser);
  await database.stop();
  const asked = { settings: { DATA_DIR: dataDir, BACKUP_URL: archive.folder } };
  disk.remount('ro');
  expect(await runCommand('restore', ['--replace', '--yes'], asked)).toEqual({
    code: 1,
    out: '',
    err: `${dataDir} is read-only: make it writable, or choose another location.\n`,
  });
  const elsewhere = { settings: { ...asked.settings, DATA_DIR: join(disk.folder, 'other') } };
  expect(await runCommand('restore', ['--yes'], elsewhere)).toMatchObject({
    code: 1,
    err: expect.stringMatching(
      /^DATA_DIR [^\n]+ cannot be created: [^\n]+ Make the folder above it writable, [^\n]+\n$/,
    ),
  });
  disk.remount('rw');
  expect(await asOwnerIn(dataDir, contentOf)).toEqual(before);
  expect(await runCommand('restore', ['--replace', '--yes'], asked)).toMatchObject({ code: 0, err: '' });
});
