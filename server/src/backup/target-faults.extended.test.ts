import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { randomBytes } from '../crypto/crypto.ts';
import { backupTasks } from '../jobs/backups.ts';
import type { JobContext } from '../jobs/task.ts';
import { startApp } from '../testing/app.ts';
import type { TestApp } from '../testing/app.ts';
import { backupsOf, filesOf } from '../testing/backups.ts';
import type { BackupTest } from '../testing/backups.ts';
import type { Client } from '../testing/client.ts';
import { mayMount, mountDisk } from '../testing/mounts.ts';
import { startS3 } from '../testing/s3-server.ts';
import { backup } from './command.ts';

/** Scheduled backups whose target fails: the service is not affected, and the log and the list of runs show why. */

const MB = 1_048_576;
const long = 240_000;
const s3 = await startS3();
let app: TestApp;
let archive: BackupTest;
let admin: Client;

beforeAll(async () => {
  app = await startApp();
  admin = await app.as((await app.make.admin()).user_id);
  await app.make.employee();
  archive = await backupsOf(app);
}, long);
afterAll(() => s3.close());

const contextOf = (settings: Record<string, string>): JobContext => ({
  deps: { ...app.deps, config: archive.with(settings).config },
  now: Temporal.Now.instant(),
});
const runTask = async (name: string, settings: Record<string, string>) => {
  const ctx = contextOf(settings);
  await backupTasks(ctx.deps.config)
    .find((task) => task.name === name)
    ?.run(ctx);
};
const events = (name: string) =>
  app.logged.map((line) => JSON.parse(line) as Record<string, unknown>).filter(({ event }) => event === name);

/** How the newest run is listed. */
const newestRun = async () =>
  (
    await app.owner.query<{ kind: string; status: string; error: string | null }>(
      'select kind, status, error from backups order by id desc limit 1',
    )
  ).rows[0];

/** A scheduled backup that fails for this reason; users notice nothing. */
async function fails(settings: Record<string, string>, reason: RegExp | string) {
  const before = events('backup_failed').length;
  await runTask('make_backup', settings);
  const matching = typeof reason === 'string' ? reason : expect.stringMatching(reason);
  expect(events('backup_failed').slice(before)).toMatchObject([{ reason: matching, attempt: 1 }]);
  expect(await newestRun()).toEqual({ kind: 'backup', status: 'failed', error: matching });
  expect((await admin.get('/api/employees')).status).toBe(200);
  expect(await app.make.employee()).toMatchObject({ id: expect.any(Number) });
}

async function succeeds(settings: Record<string, string>) {
  const [made, verified] = [events('backup_done').length, events('backup_verified').length];
  await runTask('make_backup', settings);
  await runTask('verify_backup', settings);
  expect([events('backup_done').length, events('backup_verified').length]).toEqual([made + 1, verified + 1]);
}

/** An incompressible file, referenced by a row. */
async function attach(bytes: number): Promise<void> {
  const source = Array.from({ length: bytes / MB }, () => randomBytes(MB));
  const key = await app.deps.files.keep(await app.deps.files.receive(source, { maxBytes: bytes }));
  await app.owner.query('update employees set picture_key = $1', [key]);
}

test.runIf(mayMount)('a read-only target, which can still be read', { timeout: long }, async () => {
  const disk = await mountDisk('64m');
  const settings = { BACKUP_URL: join(disk.folder, 'archive') };
  await succeeds(settings);
  disk.remount('ro');
  await fails(settings, `${settings.BACKUP_URL} is read-only: make it writable, or choose another location.`);
  const verified = events('backup_verified').length;
  await runTask('verify_backup', settings);
  expect(events('backup_verified')).toHaveLength(verified + 1);
  disk.remount('rw');
  await succeeds(settings);
});

test.runIf(mayMount)('a target that goes away while it is written, and comes back', { timeout: long }, async () => {
  const disk = await mountDisk('256m');
  const settings = { BACKUP_URL: join(disk.folder, 'archive') };
  const chunks = join(settings.BACKUP_URL, 'chunks');
  await succeeds(settings);
  await attach(96 * MB);
  const written = (await filesOf(chunks)).length;
  // where it writes next decides which of them it hits
  const failing = fails(
    settings,
    /(Files disappeared from \S+archive while the backup was written: check the disk, and try again|archive does not exist: check the path and whether its disk is mounted)\.$/,
  );
  await vi.waitUntil(async () => (await filesOf(chunks)).length > written + 1, { timeout: 60_000, interval: 1 });
  disk.unplug();
  await failing;
  // what was written under the mount point is not an archive
  expect(existsSync(join(settings.BACKUP_URL, 'backups'))).toBe(false);
  await fails(
    settings,
    /is empty, though backups were written there: mount its disk, or start a new archive with --new\.$/,
  );
  await rm(settings.BACKUP_URL, { recursive: true, force: true });
  await fails(
    settings,
    /is empty, though backups were written there: mount its disk, or start a new archive with --new\.$/,
  );
  disk.plug();
  await succeeds(settings);
});

test('a slow object store takes long, and the service answers meanwhile', { timeout: long }, async () => {
  const settings = { BACKUP_URL: s3.address('slow') };
  await attach(MB);
  s3.asked.length = 0;
  // shorter than the time that counts as silent
  s3.delay = () => (s3.asked.length <= 12 ? 4_000 : 40);
  const started = performance.now();
  const state = { isOver: false };
  const made = events('backup_done').length;
  const working = runTask('make_backup', settings).finally(() => (state.isOver = true));
  await vi.waitUntil(() => s3.asked.some((line) => line.startsWith('PUT slow/chunks/')), { timeout: 120_000 });
  await expect(backup(archive.command)).rejects.toThrow(/^A backup of this database is running since .* UTC: wait/);
  const slowest = { read: 0, written: 0 };
  let answers = 0;
  while (!state.isOver) {
    const at = performance.now();
    expect((await admin.get('/api/employees')).status).toBe(200);
    const between = performance.now();
    await app.make.employee();
    slowest.read = Math.max(slowest.read, between - at);
    slowest.written = Math.max(slowest.written, performance.now() - between);
    answers += 1;
  }
  await working;
  s3.delay = () => 0;
  expect(performance.now() - started).toBeGreaterThan(12_000);
  expect(events('backup_done')).toHaveLength(made + 1);
  expect(answers).toBeGreaterThan(10);
  expect(slowest.read).toBeLessThan(2_000);
  expect(slowest.written).toBeLessThan(2_000);
  await succeeds(settings);
});

test('an object store that is slower than that is away, in one line', { timeout: long }, async () => {
  const settings = { BACKUP_URL: s3.address('slower') };
  s3.delay = (method, key) => (method === 'PUT' && key.startsWith('slower/chunks/') ? 7_000 : 0);
  await fails(settings, /^s3:\/\/files\/slower cannot be reached \(ETIMEDOUT\): check the endpoint and the network\.$/);
  s3.delay = () => 0;
  await succeeds(settings);
  expect(await newestRun()).toMatchObject({ kind: 'verification', status: 'done' });
});

test('a target that lies is found out by the verification, and said', { timeout: long }, async () => {
  const settings = { BACKUP_URL: s3.address('lies') };
  await succeeds(settings);
  const older = new Map(s3.objects);
  await succeeds(settings);
  for (const key of s3.objects.keys()) if (key.startsWith('lies/') && !older.has(key)) s3.objects.delete(key);
  const before = events('backup_failed').length;
  await runTask('verify_backup', settings);
  expect(events('backup_failed').slice(before)).toMatchObject([
    { work: 'verification', reason: expect.stringMatching(/^s3:\/\/files\/lies lacks its newest backup \S+: /) },
  ]);
  expect(await newestRun()).toMatchObject({ kind: 'verification', status: 'failed' });
  await succeeds(settings);
});
