import { parseCronItem } from 'graphile-worker';
import { expect, test } from 'vitest';
import { startApp } from '../testing/app.ts';
import {
  foldEmployeeCounts,
  deleteBudgets,
  deleteIdempotencyKeys,
  deleteKnownOrigins,
  deleteLoginTries,
  deleteRateCounts,
  deleteReplacedJobs,
  deleteSessions,
  prepareAuditLog,
} from './housekeeping.ts';
import { tasks, timedTasks } from './schedule.ts';

const { deps, owner, make, as } = await startApp();
const now = Temporal.Now.instant();
const hoursLater = (hours: number) => ({ deps, now: now.add({ hours }) });
const count = async (table: string) =>
  Number((await owner.query<{ n: string }>(`select count(*) as n from ${table}`)).rows[0]?.n);

test('every timed task has a pattern, a unique name, and runs with the rights of the service', async () => {
  const names = [...timedTasks.map(({ name }) => name), ...Object.keys(tasks)];
  expect(new Set(names).size).toBe(names.length);
  for (const { name, at, run } of timedTasks) {
    expect(parseCronItem({ task: name, match: at }).task).toBe(name);
    await run(hoursLater(0));
    await run(hoursLater(0));
  }
});

test('a timed job that failed after the next one replaced it is no failed job any more', async () => {
  const timed = `graphile_worker.add_job('deliver_mail', job_key => 'deliver_mail', max_attempts => 5)`;
  await owner.query(`insert into graphile_worker._private_known_crontabs (identifier, known_since)
    values ('deliver_mail', now()) on conflict do nothing`);
  const failed = async () => {
    const { rows } = await owner.query<{ task_identifier: string }>(
      'select task_identifier from graphile_worker.jobs where attempts >= max_attempts and locked_at is null order by 1',
    );
    return rows.map(({ task_identifier }) => task_identifier);
  };
  // a run that is still active when the next one is due, and then loses its database
  await owner.query(`select ${timed}`);
  const locked = `update graphile_worker._private_jobs set locked_at = $1 where key = 'deliver_mail' returning id`;
  const { rows } = await owner.query<{ id: string }>(locked, [new Date()]);
  await owner.query(`select ${timed}, graphile_worker.add_job('run_import')`);
  await deleteReplacedJobs(hoursLater(0));
  expect(await count('graphile_worker._private_jobs')).toBe(3);
  await owner.query('update graphile_worker._private_jobs set locked_at = null where id = $1', [rows[0]?.id]);
  await owner.query(`update graphile_worker._private_jobs set attempts = max_attempts`);
  expect(await failed()).toEqual(['deliver_mail', 'deliver_mail', 'run_import']);
  await deleteReplacedJobs(hoursLater(0));
  // what stays: the one with its key, which the next run retries, and a job that is not scheduled
  expect(await failed()).toEqual(['deliver_mail', 'run_import']);
  await owner.query(`select graphile_worker.complete_jobs(array(select id from graphile_worker._private_jobs))`);
});

test('headcounts stay the same when they are folded', async () => {
  const department = await make.department();
  for (let i = 0; i < 5; i += 1) await make.employee({ department_id: department.id });
  const people = async () => {
    const { rows } = await owner.query(
      `select level, key_id, activity_status, employment_lifecycle, sum(people) as people from employee_counts
       group by 1, 2, 3, 4 having sum(people) <> 0 order by 1, 2, 3, 4`,
    );
    return rows as unknown[];
  };
  const [before, parts] = [await people(), await count('employee_counts')];
  await Promise.all([foldEmployeeCounts(hoursLater(0)), foldEmployeeCounts(hoursLater(0))]);
  expect(await people()).toEqual(before);
  expect(await count('employee_counts')).toBeLessThan(parts);
});

test('sessions are deleted 30 days after their end, whatever ended them', async () => {
  const { user_id } = await make.employee();
  const [living, revoked] = [await as(user_id), await as(user_id)];
  await revoked.post('/logout');
  const before = await count('session_register');
  await deleteSessions(hoursLater(30 * 24 - 1));
  expect(await count('session_register')).toBe(before);
  await deleteSessions(hoursLater(30 * 24 + 1));
  expect(await count('session_register')).toBe(before - 1);
  expect((await living.get('/api/me')).status).toBe(200);
  await deleteSessions(hoursLater(31 * 24));
  expect(await count('session_register')).toBe(0);
});

test('networks are known for 90 days after a sign-in, browsers for 180', async () => {
  const { email } = await make.employee({ password: 'Str0ng!Passw0rd' });
  await (await as()).post('/login', { email, password: 'Str0ng!Passw0rd' });
  for (const [days, left] of [
    [89, 2],
    [91, 1],
    [179, 1],
    [181, 0],
  ] as const) {
    await deleteKnownOrigins(hoursLater(days * 24));
    expect([days, await count('known_origins')]).toEqual([days, left]);
  }
});

test('stored answers and sign-in attempts are deleted after a day', async () => {
  const hr = await as((await make.employee({ roles: ['HR'] })).user_id);
  const person = await make.employee();
  const reason = { reason: 'Agreed with the works council' };
  const answer = await hr.post(`/api/employees/${person.id}/deactivate`, reason, { 'idempotency-key': 'once' });
  expect([answer.status, await count('idempotency_keys')]).toEqual([200, 1]);
  await deleteIdempotencyKeys(hoursLater(23));
  expect(await count('idempotency_keys')).toBe(1);
  await deleteIdempotencyKeys(hoursLater(25));
  expect(await count('idempotency_keys')).toBe(0);
  await (await as()).post('/login', { email: person.email, password: 'Wr0ng!Passw0rd' });
  expect(await count('login_attempts')).toBeGreaterThan(0);
  await deleteLoginTries(hoursLater(0));
  expect(await count('login_attempts')).toBeGreaterThan(0);
  await owner.query("update login_attempts set last_attempt_at = now() - interval '25 hours'");
  await deleteLoginTries(hoursLater(0));
  expect(await count('login_attempts')).toBe(0);
});

test('the service creates the monthly partitions of the log and cannot change it otherwise', async () => {
  const { rows } = await owner.query<{ part: string }>(
    "select max(inhrelid::regclass::text) as part from pg_inherits where inhparent = 'audit_log'::regclass and inhrelid::regclass::text ~ '[0-9]{6}$'",
  );
  const part = rows[0]?.part as string;
  await owner.query(`drop table ${part}`);
  await prepareAuditLog(hoursLater(0));
  expect(await count(part)).toBe(0);
  for (const statement of [
    `drop table ${part}`,
    `truncate ${part}`,
    `delete from ${part}`,
    'update audit_log set reason = null',
  ])
    await expect(deps.pool.query(statement)).rejects.toThrow(/permission denied|must be owner/);
});

test('counts of requests are deleted ten minutes after their minute began', async () => {
  await owner.query(
    `insert into rate_counts (slot, scope, key, used)
     select $1::timestamptz - make_interval(mins => ago, secs => 30), 'general', '1', 1 from generate_series(0, 20) as ago`,
    [now.toString()],
  );
  await deleteRateCounts(hoursLater(0));
  expect(await count('rate_counts')).toBe(10);
  await deleteRateCounts(hoursLater(1));
  expect(await count('rate_counts')).toBe(0);
});

test('exports and imports of a day are deleted after the next one', async () => {
  const { user_id } = await make.employee();
  await owner.query(
    `insert into budgets (user_id, kind, day, used)
     select $1, 'export', ($2::timestamptz at time zone 'UTC')::date - days, 1 from generate_series(0, 3) as days`,
    [user_id, now.toString()],
  );
  await deleteBudgets(hoursLater(0));
  expect(await count('budgets')).toBe(2);
  await deleteBudgets(hoursLater(48));
  expect(await count('budgets')).toBe(0);
});
