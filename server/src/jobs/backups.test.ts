import { mkdir, readdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { startApp } from '../testing/app.ts';
import type { TestApp } from '../testing/app.ts';
import { backupsOf } from '../testing/backups.ts';
import type { Client } from '../testing/client.ts';
import type { BackupTest } from '../testing/backups.ts';
import { backupTasks, retryBackup } from './backups.ts';
import type { JobContext } from './task.ts';

let app: TestApp;
let archive: BackupTest;
let admin: Client;

beforeAll(async () => {
  app = await startApp();
  admin = await app.as((await app.make.admin()).user_id);
  await app.make.employee({ roles: ['HR'] });
  archive = await backupsOf(app);
});

const contextOf = (settings: Record<string, string> = {}): JobContext => ({
  deps: { ...app.deps, config: archive.with(settings).config },
  now: Temporal.Now.instant(),
});

const taskNamed = (ctx: JobContext, name: string) => backupTasks(ctx.deps.config).find((task) => task.name === name);
const events = (name: string) =>
  app.logged.map((line) => JSON.parse(line) as Record<string, unknown>).filter(({ event }) => event === name);
/** Minutes after the time of the job. */
const retriesAfter = async ({ now }: JobContext) =>
  (
    await app.owner.query<{ minutes: number; attempt: number }>(
      `select round(extract(epoch from run_at - $1::timestamptz) / 60)::int as minutes, (payload ->> 'attempt')::int as attempt
       from graphile_worker._private_jobs where key = 'retry_backup'`,
      [now.toString()],
    )
  ).rows;

test('without a folder nothing is scheduled; with one a backup, and what reads it unless that is off', () => {
  const names = (settings: Record<string, string>) =>
    backupTasks(archive.with(settings).config).map(({ name }) => name);
  expect(names({ BACKUP_URL: '' })).toEqual([]);
  expect(names({})).toEqual(['make_backup', 'verify_backup', 'backup_drill']);
  expect(names({ BACKUP_VERIFY: 'off' })).toEqual(['make_backup', 'backup_drill']);
  expect(names({ BACKUP_DRILL: 'off' })).toEqual(['make_backup', 'verify_backup']);
  // the machine cannot read what it writes
  expect(names({ BACKUP_RECIPIENT: `age1${'q'.repeat(58)}` })).toEqual(['make_backup', 'verify_backup']);
  expect(backupTasks({ ...archive.with({}).config, BACKUP_WAL: true }).map(({ name }) => name)).toContain('make_base');
  expect(backupTasks(archive.with({ BACKUP_SCHEDULE: '0 */6 * * *' }).config)[0]?.at).toBe('0 */6 * * *');
});

test('a backup, its verification and its drill are made, logged, listed and measured', async () => {
  const ctx = contextOf();
  expect(await app.deps.metrics.text()).not.toMatch(/^tenure_backup_\w+ \d/m);
  await taskNamed(ctx, 'make_backup')?.run(ctx);
  await taskNamed(ctx, 'verify_backup')?.run(ctx);
  await taskNamed(ctx, 'backup_drill')?.run(ctx);
  expect(events('backup_failed')).toEqual([]);
  const [done] = events('backup_done');
  expect(done).toMatchObject({ manifestSha256: expect.stringMatching(/^[0-9a-f]{64}$/), isEncrypted: false });
  expect(events('backup_verified')).toMatchObject([{ id: done?.['id'], wasRead: true }]);
  expect(events('backup_drill')).toMatchObject([{ id: done?.['id'], faults: [], indexes: expect.any(Number) }]);
  const { rows } = await app.owner.query('select kind, status, backup from backups order by id');
  expect(rows).toEqual([
    { kind: 'backup', status: 'done', backup: done?.['id'] },
    { kind: 'verification', status: 'done', backup: done?.['id'] },
    { kind: 'drill', status: 'done', backup: done?.['id'] },
  ]);
  const text = await app.deps.metrics.text();
  for (const name of ['last_success', 'verified', 'drill']) {
    const [, seconds] = new RegExp(`^tenure_backup_${name}_timestamp_seconds ([\\d.e+]+)$`, 'm').exec(text) ?? [];
    expect(Math.abs(Number(seconds) - Date.now() / 1_000)).toBeLessThan(300);
  }
}, 120_000);

test('a backup goes past a pooler', async () => {
  const behind = {
    DATABASE_URL: 'postgres://app@127.0.0.1:1/pooler',
    DATABASE_MIGRATION_URL: '',
    DATABASE_DIRECT_URL: app.database.ownerUrl,
    DATABASE_POOLER: 'on',
  };
  const made = events('backup_done').length;
  const ctx = contextOf(behind);
  await taskNamed(ctx, 'make_backup')?.run(ctx);
  expect(events('backup_failed')).toEqual([]);
  expect(events('backup_done')).toHaveLength(made + 1);
});

test('a folder that lost its backups is refused, and tried again after 1, 2, 4 … 60 minutes', async () => {
  await rename(archive.folder, `${archive.folder}.away`);
  await mkdir(archive.folder);
  const ctx = contextOf();
  await taskNamed(ctx, 'make_backup')?.run(ctx);
  expect(events('backup_failed').at(-1)).toMatchObject({
    reason: `${archive.folder} is empty, though backups were written there: mount its disk, or start a new archive with --new.`,
    attempt: 1,
  });
  expect(await retriesAfter(ctx)).toEqual([{ minutes: 1, attempt: 2 }]);
  await retryBackup(ctx, { attempt: 9 });
  expect(await retriesAfter(ctx)).toEqual([{ minutes: 60, attempt: 10 }]);
  const { rows } = await app.owner.query(
    "select status, error from backups where kind = 'backup' order by id desc limit 1",
  );
  expect(rows).toEqual([{ status: 'failed', error: expect.stringContaining('mount its disk') }]);
  await retryBackup(ctx, { attempt: 26 });
  expect(await retriesAfter(ctx)).toEqual([{ minutes: 60, attempt: 10 }]);
});

/** The notifications about failed backups, of all users. */
const notified = async () =>
  (
    await app.owner.query<{ user_id: number; variant: string }>(
      "select user_id, variant from notifications where event = 'backup_failed' order by id",
    )
  ).rows;

test('the administrators are notified of a failure once until a backup succeeds', async () => {
  const [first, ...others] = await notified();
  expect([first?.variant, others]).toEqual(['plain', []]);
  const { body } = await admin.get('/api/notifications');
  expect(body.data).toMatchObject([
    { event: 'backup_failed', severity: 'warning', title: 'A backup failed', data: { url: '/settings/backups' } },
  ]);
  expect(body.data[0].body).toContain('mount its disk');
  await rename(archive.folder, `${archive.folder}.empty`);
  await rename(`${archive.folder}.away`, archive.folder);
  await retryBackup(contextOf(), { attempt: 11 });
  const { deps, now } = contextOf();
  // the start refuses this setting, and so does the command
  const refused = { deps: { ...deps, config: { ...deps.config, BACKUP_URL: 'ftp://me:secret@bucket' } }, now };
  await retryBackup(refused, { attempt: 12 });
  await retryBackup(refused, { attempt: 13 });
  expect(await notified()).toEqual([first, { user_id: first?.user_id, variant: 'plain' }]);
});

test('a failure that the command could not list is listed', async () => {
  const { rows } = await app.owner.query(
    "select status, error from backups where kind = 'backup' order by id desc limit 2",
  );
  const refused = { status: 'failed', error: expect.stringContaining('ftp://bucket is neither a folder') };
  expect(rows).toEqual([refused, refused]);
});

test('a verification or a drill that finds damage says so', async () => {
  await writeFile(`${archive.folder}/archive.json`, '{}');
  const ctx = contextOf();
  await taskNamed(ctx, 'verify_backup')?.run(ctx);
  expect(events('backup_failed').at(-1)).toMatchObject({
    work: 'verification',
    reason: expect.stringContaining('contains an archive.json that is not from Tenure'),
  });
  await taskNamed(ctx, 'backup_drill')?.run(ctx);
  expect(events('backup_failed').at(-1)).toMatchObject({ work: 'drill' });
  expect((await notified()).slice(-2).map(({ variant }) => variant)).toEqual(['verification', 'drill']);
  const { rows } = await app.owner.query("select kind from backups where status = 'failed' order by id desc limit 2");
  expect(rows).toEqual([{ kind: 'drill' }, { kind: 'verification' }]);
});

describe('a base of points in time', () => {
  const minute = 60_000;
  const begin = Date.parse('2026-11-27T08:00:00Z');
  /** Runs the scheduled task some minutes later, in a DATA_DIR that never has enough space. */
  async function after(minutes: number, settings: Record<string, string> = {}) {
    const config = { ...archive.with({ DISK_RESERVE_MB: '1000000', ...settings }).config, BACKUP_WAL: true };
    const now = Temporal.Instant.fromEpochMilliseconds(begin + minutes * minute);
    const ctx = { deps: { ...contextOf().deps, config }, now };
    const task = backupTasks(config).find(({ name }) => name === 'make_base');
    const before = events('base_failed').length;
    await task?.run(ctx);
    return events('base_failed').slice(before);
  }

  test('that the disk has no room for is refused before it is copied, and tried again later and later', async () => {
    const tried: number[] = [];
    for (let minutes = 0; minutes <= 24 * 60; minutes += 10) if ((await after(minutes)).length > 0) tried.push(minutes);
    expect(tried).toEqual([0, 10, 30, 70, 150, 310, 630, 990, 1_350]);
    expect(events('base_failed').at(-1)).toMatchObject({
      attempt: 9,
      reason: expect.stringMatching(/^DATA_DIR has \d+ MB of free space, less than DISK_RESERVE_MB=1000000: free some/),
    });
    expect(await readdir(join(archive.folder, 'base')).catch(() => [])).toEqual([]);
  });

  test('notifies administrators once, and not of a single failure', async () => {
    const ofBases = (await notified()).filter(({ variant }) => variant === 'base');
    expect(ofBases).toHaveLength(1);
    const { body } = await admin.get('/api/notifications');
    expect(body.data[0]).toMatchObject({ title: 'Point-in-time recovery is interrupted' });
  });
});
