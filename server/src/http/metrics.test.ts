import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, test } from 'vitest';
import { connect } from '../db/connect.ts';
import { readConfig } from '../config.ts';
import { version } from '../releases/release.ts';
import { startApp } from '../testing/app.ts';
import type { TestApp } from '../testing/app.ts';
import { keptFigures } from './database-figures.ts';
import { openMetrics } from './metrics.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
});

/** Samples without labels, by name. */
const valuesIn = (text: string) =>
  Object.fromEntries([...text.matchAll(/^(\w+) (\S+)$/gm)].map(([, name = '', value]) => [name, Number(value)]));
const values = async () => valuesIn(await app.deps.metrics.text());

const metricsOf = (db: TestApp['deps']['db']) =>
  openMetrics({ ...app.deps, db, idleSeconds: 7_200, keptMilliseconds: 0, ofProcess: true });

describe('figures of the database', () => {
  test('count jobs: due ones with the age of the oldest, and those that failed for good', async () => {
    const { owner } = app;
    await owner.query("select graphile_worker.add_job('late', run_at => now() - interval '20 minutes')");
    await owner.query("select graphile_worker.add_job('later', run_at => now() + interval '20 minutes')");
    await owner.query("select graphile_worker.add_job('lost', max_attempts => 1)");
    await owner.query('update graphile_worker._private_jobs set attempts = 1 where max_attempts = 1');
    const found = await values();
    expect(found).toMatchObject({ tenure_jobs_ready: 1, tenure_jobs_failed: 1, tenure_database_up: 1 });
    expect(Math.abs((found['tenure_jobs_oldest_seconds'] ?? 0) - 1_200)).toBeLessThan(60);
    await owner.query('delete from graphile_worker._private_jobs');
    expect(await values()).toMatchObject({
      tenure_jobs_ready: 0,
      tenure_jobs_failed: 0,
      tenure_jobs_oldest_seconds: 0,
    });
  });

  test('count mails with the time since the oldest was due or tried, whenever its next try is', async () => {
    const { owner, make } = app;
    const { user_id } = await make.employee();
    const { rows } = await owner.query(
      `insert into notifications (user_id, event, severity, subject_type, url, dedupe_key)
       values ($1, 'account_created', 'info', 'user', '/', 'metrics') returning id`,
      [user_id],
    );
    await owner.query("delete from notification_deliveries where status = 'pending'");
    const add = (first: string | null, next: string) =>
      owner.query(
        `insert into notification_deliveries (notification_id, user_id, channel, first_attempt_at, next_attempt_at)
         values ($1, $2, 'email', now() + $3::interval, now() + $4::interval)`,
        [rows[0]?.id, user_id, first, next],
      );
    await add(null, '8 hours');
    expect(await values()).toMatchObject({ tenure_mail_pending: 1, tenure_mail_oldest_seconds: 0 });
    await add('-3 hours', '30 minutes');
    const found = await values();
    expect(found['tenure_mail_pending']).toBe(2);
    expect(Math.abs((found['tenure_mail_oldest_seconds'] ?? 0) - 10_800)).toBeLessThan(60);
    await owner.query('delete from notification_deliveries');
  });

  test('count sessions that are alive', async () => {
    const { make, owner, as } = app;
    const before = (await values())['tenure_sessions_alive'] ?? 0;
    const { user_id } = await make.employee();
    for (let count = 0; count < 4; count += 1) await as(user_id);
    expect((await values())['tenure_sessions_alive']).toBe(before + 4);
    const change = (set: string) =>
      owner.query(
        `update session_register set ${set} where id = (select max(id) from session_register
         where user_id = $1 and revoked_at is null and expires_at > now() and last_seen_at > now() - interval '1 hour')`,
        [user_id],
      );
    await change('revoked_at = now()');
    await change("expires_at = now() - interval '1 second'");
    await change("last_seen_at = now() - interval '3 hours'");
    expect((await values())['tenure_sessions_alive']).toBe(before + 1);
  });

  test('tell the age of the oldest audit log entry without a link', async () => {
    const { owner } = app;
    // entries are chained after every open transaction of the server has ended
    const ageOnceChained = async () => {
      await owner.query('select chain_audit_log(5000)');
      return (await values())['tenure_audit_unchained_seconds'];
    };
    await expect.poll(ageOnceChained).toBe(0);
    await owner.query(
      "insert into audit_log (at, actor_name, action, subject_type) values (now() - interval '30 minutes', 'x', 'x', 'x')",
    );
    expect(Math.abs(((await values())['tenure_audit_unchained_seconds'] ?? 0) - 1_800)).toBeLessThan(60);
    await expect.poll(ageOnceChained).toBe(0);
  });

  test('are read once, however often they are asked for', async () => {
    const look = keptFigures(app.deps.db, { idleSeconds: 7_200, keptMilliseconds: 3_600_000 });
    const first = await look();
    await app.owner.query("select graphile_worker.add_job('late')");
    expect(await look()).toBe(first);
    expect((await keptFigures(app.deps.db, { idleSeconds: 7_200 })()).figures?.jobs_ready).toBe(1);
    await app.owner.query('delete from graphile_worker._private_jobs');
  });

  test('are absent while the database is away, and tenure_database_up is 0', async () => {
    const { db } = connect({ url: 'postgres://app@127.0.0.1:1/none', max: 1 });
    const found = valuesIn(await metricsOf(db).text());
    expect(found['tenure_database_up']).toBe(0);
    expect(Object.keys(found)).toContain('tenure_disk_free_bytes');
    expect(Object.keys(found)).not.toContain('tenure_jobs_ready');
  });
});

describe('figures of the process', () => {
  test('tell the release, and count limits, unknown outcomes and faults of the audit log', async () => {
    const { metrics } = app.deps;
    const text = await metrics.text();
    expect(text).toContain(`tenure_build_info{release="${version}"} 1`);
    expect(text).not.toMatch(/^tenure_(listener_up|audit_faults) /m);
    const before = valuesIn(text);
    metrics.observe({ method: 'GET', route: '/api/me', status: 429, seconds: 0.01 });
    metrics.unknownOutcome();
    metrics.auditChecked(0);
    expect(await values()).toMatchObject({
      tenure_rate_limited_total: (before['tenure_rate_limited_total'] ?? 0) + 1,
      tenure_unknown_outcomes_total: 1,
      tenure_audit_faults: 0,
      tenure_streams_open: 0,
    });
  });

  test('say which work with backups is scheduled', async () => {
    const scheduled = async (settings: Record<string, string>) => {
      const config = readConfig({ NODE_ENV: 'test', ...settings });
      const text = await openMetrics({ ...app.deps, config, idleSeconds: 1, ofProcess: false }).text();
      return [...text.matchAll(/^tenure_backups_scheduled\{kind="(\w+)"\} 1$/gm)].map(([, kind]) => kind);
    };
    expect(await scheduled({})).toEqual([]);
    const all = { BACKUP_URL: '/mnt/backups', BACKUP_DRILL: 'monthly' };
    expect(await scheduled(all)).toEqual(['backup', 'verification', 'drill']);
    expect(await scheduled({ ...all, BACKUP_VERIFY: 'off', BACKUP_DRILL: 'off' })).toEqual(['backup']);
  });

  test('name nothing but routes, methods, statuses, roles of processes and releases', async () => {
    await app.owner.query(
      "insert into processes (id, release, role, host, contracts) values (gen_random_uuid(), 'x', 'api', 'one', '{}')",
    );
    const labels = new Set([...(await app.deps.metrics.text()).matchAll(/[{,](\w+)="/g)].map(([, name]) => name));
    expect(labels).toEqual(new Set(['le', 'method', 'release', 'role', 'route', 'status']));
  });
});

test('docs/operations.md lists every metric', async () => {
  const text = await metricsOf(app.deps.db).text();
  const names = [...text.matchAll(/^# TYPE (\w+)/gm)].map(([, name = '']) => name);
  const page = readFileSync('docs/operations.md', 'utf8');
  const section = page.slice(page.indexOf('## Metrics'), page.indexOf('## Alerts'));
  const listed = [...section.matchAll(/^\| `(\w+)` \| /gm)].map(([, name = '']) => name);
  const own = names.filter((name) => !/^(process|nodejs)_/.test(name));
  expect(own.length).toBeGreaterThan(20);
  // the supervisor of several processes adds one
  expect(listed.sort()).toEqual([...own, 'tenure_process_up'].sort());
});
