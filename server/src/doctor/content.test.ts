import { expect, test } from 'vitest';
import { readConfig } from '../config.ts';
import { startApp } from '../testing/app.ts';
import { checkRuns, maxHoursBetween } from './backups.ts';
import { checkSchema } from './schema.ts';
import { checkWork } from './work.ts';

const { deps, owner } = await startApp();
const { db } = deps;
const configOf = (settings: Record<string, string> = {}) => readConfig({ ...settings });
const late = "select graphile_worker.add_job('late', run_at => now() - interval '20 minutes')";
const inProduction = { NODE_ENV: 'production', APP_URL: 'https://hr.acme.example' };

test('demo data is no fault of a demo', async () => {
  await owner.query('update installation set is_demo = true');
  const { isUsable, findings } = await checkSchema(db, configOf(), false);
  expect(isUsable).toBe(true);
  expect(findings.map(({ status }) => status)).toEqual(['ok', 'ok', 'ok']);
  expect(findings[2]?.what).toContain('would refuse to start in production');
});

test('an owner may change the audit log, which is said of its role only', async () => {
  await owner.query('grant update on audit_log to tenure_app');
  expect((await checkSchema(db, configOf(), false)).findings[0]).toMatchObject({ status: 'warn', name: 'rights' });
  expect((await checkSchema(db, configOf(), true)).findings[0]).toMatchObject({ status: 'ok', name: 'rights' });
});

test('late jobs are no fault of a service that is stopped; failed ones are', async () => {
  await owner.query(late);
  const statuses = async (isRunning: boolean) =>
    (await checkWork(db, configOf(), isRunning)).map(({ name, status }) => `${name} ${status}`);
  expect(await statuses(true)).toContain('jobs fail');
  expect(await statuses(false)).toContain('jobs ok');
  await owner.query('update graphile_worker._private_jobs set attempts = max_attempts');
  expect(await statuses(false)).toContain('failed-jobs warn');
});

test('production with the embedded database warns where no backups are made by schedule', async () => {
  const statusOf = async (settings: Record<string, string>) => (await checkRuns(db, configOf(settings)))[0]?.status;
  expect(await statusOf(inProduction)).toBe('warn');
  expect(await statusOf({})).toBe('ok');
  expect(await statusOf({ DATABASE_URL: 'postgres://app@127.0.0.1/tenure' })).toBe('ok');
  expect(await statusOf({ BACKUP_URL: '/mnt/backups' })).toBe('warn');
});

test.each([
  ['15 2 * * *', 26],
  ['0 */6 * * *', 26],
  ['15 2 * * 0', 192],
  ['15 2 1 * *', 768],
  ['15 2 1 1 *', 8_784],
])('after a backup by the schedule %s the next one is late after %i hours', (schedule, hours) => {
  expect(maxHoursBetween(schedule)).toBe(hours);
});
