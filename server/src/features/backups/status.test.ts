import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { recordBase, recordBaseFailure } from '../../backup/points/base-state.ts';
import { readConfig } from '../../config.ts';
import { startApp } from '../../testing/app.ts';
import { readStatus } from './status.ts';

const { deps, owner } = await startApp();
const noon = Date.parse('2026-11-26T12:00:00Z');
const hours = (count: number) => new Date(noon - count * 3_600_000).toISOString();

const read = (settings: Record<string, string>) =>
  readStatus(deps.db, readConfig({ BACKUP_URL: '/mnt/backups', ...settings }), noon);

test('a weekly backup is overdue two hours after its week', async () => {
  await owner.query("insert into backups (kind, status, started_at, finished_at) values ('backup', 'done', $1, $1)", [
    hours(7 * 24 + 1),
  ]);
  const weekly = { BACKUP_SCHEDULE: '15 2 * * 4' };
  expect(await read(weekly)).toMatchObject({ alert: null });
  expect(await read({})).toMatchObject({ alert: 'overdue' });
  await owner.query('update backups set finished_at = $1', [hours(7 * 24 + 3)]);
  expect(await read(weekly)).toMatchObject({ alert: 'overdue' });
});

test('what is switched off says why', async () => {
  const whyOff = async (settings: Record<string, string>) => (await read(settings)).works.map(({ off }) => off);
  expect(await whyOff({})).toEqual([null, null, null]);
  expect(await whyOff({ BACKUP_VERIFY: 'off', BACKUP_DRILL: 'off' })).toEqual([null, 'setting', 'setting']);
  expect(await whyOff({ BACKUP_RECIPIENT: `age1${'q'.repeat(58)}` })).toEqual([null, null, 'unreadable']);
});

test('the place is named without its keys', async () => {
  const secret = 'wJalrXUtnFEMI';
  const place = async (BACKUP_URL: string) => (await read({ BACKUP_URL })).folder;
  expect(await place(`s3://AKIA1:${secret}@hr-backups/main?endpoint=https://store.example`)).toBe(
    's3://hr-backups/main',
  );
  expect(await place('file:///mnt/backups')).toBe('/mnt/backups');
});

test('bases of points in time have a state where there are any; three that fail are an alert', async () => {
  const DATA_DIR = await mkdtemp(join(tmpdir(), 'tenure-bases-'));
  onTestFinished(() => rm(DATA_DIR, { recursive: true }));
  await owner.query('update backups set finished_at = $1', [hours(1)]);
  const now = (settings: Record<string, string> = {}) => read({ DATA_DIR, BACKUP_WAL: 'on', ...settings });
  expect(await now({ BACKUP_WAL: 'off' })).toMatchObject({ bases: null, alert: null });
  const none = { last_success_at: null, last_failure: null, failures: 0, next_at: '2026-11-29T03:45:00.000Z' };
  expect(await now()).toMatchObject({ bases: none, alert: null });
  await recordBase(DATA_DIR, noon - 7_200_000);
  expect(await now()).toMatchObject({ bases: { ...none, last_success_at: '2026-11-26T10:00:00.000Z' } });
  const next = ['2026-11-26T12:10:00.000Z', '2026-11-26T12:20:00.000Z', '2026-11-26T12:40:00.000Z'];
  for (const [index, next_at] of next.entries()) {
    await recordBaseFailure(DATA_DIR, noon, 'too little space');
    const { bases, alert } = await now();
    expect(bases).toEqual({
      last_success_at: '2026-11-26T10:00:00.000Z',
      last_failure: { at: '2026-11-26T12:00:00.000Z', error: 'too little space' },
      failures: index + 1,
      next_at,
    });
    expect(alert).toBe(index < 2 ? null : 'bases_failing');
  }
  await owner.query('update backups set finished_at = $1', [hours(30)]);
  expect(await now()).toMatchObject({ alert: 'overdue' });
  await recordBase(DATA_DIR, noon);
  expect(await now()).toMatchObject({ bases: { failures: 0, last_failure: null } });
});
