import { mkdir, rename, writeFile } from 'node:fs/promises';
import { beforeAll, expect, test } from 'vitest';
import { startApp } from '../testing/app.ts';
import type { TestApp } from '../testing/app.ts';
import { backupsOf } from '../testing/backups.ts';
import type { BackupTest } from '../testing/backups.ts';
import { backupTasks, retryBackup } from './backups.ts';
import type { JobContext } from './task.ts';

let app: TestApp;
let archive: BackupTest;

beforeAll(async () => {
  app = await startApp();
  archive = await backupsOf(app);
});

const contextOf = (settings: Record<string, string> = {}): JobContext => ({
  deps: { ...app.deps, config: archive.with(settings).config },
  now: Temporal.Now.instant(),
});

const taskNamed = (ctx: JobContext, name: string) => backupTasks(ctx.deps.config).find((task) => task.name === name);
const events = (name: string) =>
  app.logged.map((line) => JSON.parse(line) as Record<string, unknown>).filter(({ event }) => event === name);
/** Minutes after the moment of the job. */
const retriesAfter = async ({ now }: JobContext) =>
  (
    await app.owner.query<{ minutes: number; attempt: number }>(
      `select round(extract(epoch from run_at - $1::timestamptz) / 60)::int as minutes, (payload ->> 'attempt')::int as attempt
       from graphile_worker._private_jobs where key = 'retry_backup'`,
      [now.toString()],
    )
  ).rows;

test('without a folder nothing is scheduled; with one a backup, and its verification unless it is off', () => {
  const names = (settings: Record<string, string>) =>
    backupTasks(archive.with(settings).config).map(({ name }) => name);
  expect(names({ BACKUP_URL: '' })).toEqual([]);
  expect(names({})).toEqual(['make_backup', 'verify_backup']);
  expect(names({ BACKUP_VERIFY: 'off' })).toEqual(['make_backup']);
  expect(backupTasks(archive.with({ BACKUP_SCHEDULE: '0 */6 * * *' }).config)[0]?.at).toBe('0 */6 * * *');
});

test('a backup and its verification are made, logged, listed and measured', async () => {
  const ctx = contextOf();
  expect(await app.deps.metrics.text()).not.toMatch(/^tenure_backup_\w+ \d/m);
  await taskNamed(ctx, 'make_backup')?.run(ctx);
  await taskNamed(ctx, 'verify_backup')?.run(ctx);
  const [done] = events('backup_done');
  expect(done).toMatchObject({ manifestSha256: expect.stringMatching(/^[0-9a-f]{64}$/), isEncrypted: false });
  expect(events('backup_verified')).toMatchObject([{ id: done?.['id'], wasRead: true }]);
  const { rows } = await app.owner.query('select kind, status, backup from backups order by id');
  expect(rows).toEqual([
    { kind: 'backup', status: 'done', backup: done?.['id'] },
    { kind: 'verification', status: 'done', backup: done?.['id'] },
  ]);
  const text = await app.deps.metrics.text();
  for (const name of ['last_success', 'verified']) {
    const [, seconds] = new RegExp(`^tenure_backup_${name}_timestamp_seconds ([\\d.e+]+)$`, 'm').exec(text) ?? [];
    expect(Math.abs(Number(seconds) - Date.now() / 1_000)).toBeLessThan(300);
  }
});

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
    reason: `${archive.folder} is empty, though backups were written there: mount its disk, or begin anew with --new.`,
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

test('a verification that finds damage says so', async () => {
  await writeFile(`${archive.folder}/archive.json`, '{}');
  const ctx = contextOf();
  await taskNamed(ctx, 'verify_backup')?.run(ctx);
  expect(events('backup_failed').at(-1)).toMatchObject({
    work: 'verification',
    reason: expect.stringContaining("holds an archive.json that is not Tenure's"),
  });
});
