import { expect, test } from 'vitest';
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
  expect(await whyOff({ BACKUP_RECIPIENT: 'age1x' })).toEqual([null, null, 'unreadable']);
});

test('the place is named without its keys', async () => {
  const secret = 'wJalrXUtnFEMI';
  const place = async (BACKUP_URL: string) => (await read({ BACKUP_URL })).folder;
  expect(await place(`s3://AKIA1:${secret}@hr-backups/main?endpoint=https://store.example`)).toBe(
    's3://hr-backups/main',
  );
  expect(await place('file:///mnt/backups')).toBe('/mnt/backups');
});
