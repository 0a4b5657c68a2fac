import pg from 'pg';
import { afterAll, beforeEach, expect, test, vi } from 'vitest';
import { migrate } from '../db/migrate.ts';
import { startApp } from '../testing/app.ts';
import type { Client } from '../testing/client.ts';
import { startCluster } from '../testing/cluster.ts';
import { hasPgBouncer, startPooler } from '../testing/pooler.ts';

/** A primary whose only synchronous standby is down: commits wait for it, unless they are configured not to. */

const cluster = await startCluster({
  settings: {
    wal_level: 'replica',
    max_wal_senders: 2,
    synchronous_standby_names: 'absent',
    synchronous_commit: 'local',
  },
});
// after the service has connected
afterAll(() => cluster.stop());
await migrate(cluster.ownerUrl, new URL(cluster.appUrl).username);
// more than the statement timeout of 5 s, and less than usual to keep the test short
const queryTimeout = 7_000;
const direct = await startApp({}, { database: cluster, connect: { url: cluster.appUrl, queryTimeout } });
const { as, make, owner, deps } = direct;
// commits of these connections always wait
const pooler = hasPgBouncer
  ? await startPooler([cluster.appUrl, cluster.ownerUrl], {}, 'set synchronous_commit = on')
  : undefined;
afterAll(() => pooler?.stop('SIGKILL'));
const behind = pooler && { url: pooler.through(cluster.appUrl), pooler: true, prepared: false };
const pooled = behind && (await startApp({}, { beside: direct, connect: behind }));
const operator = new pg.Pool({ connectionString: cluster.appUrl, max: 1 });
afterAll(() => operator.end());
const admin = await make.admin();
let client: Client;

/** The test's own writes never wait. */
const asOwner = (statement: string) => owner.query(`set synchronous_commit = local; ${statement}`);

/** Sets whether commits of new connections wait for the standby; closes those of the service. */
async function setWaiting(to: 'on' | 'local') {
  await asOwner(`alter database tenure set synchronous_commit = ${to}`);
  for (const held of await Promise.all(Array.from({ length: 10 }, () => deps.pool.connect()))) held.release(true);
}
beforeEach(async () => {
  await setWaiting('local');
  client = await as(admin.user_id);
  await setWaiting('on');
});

const create = (name: string, key: string) => client.post('/api/entities', { name }, { 'idempotency-key': key });
const named = async (name: string) => (await owner.query('select from entities where name = $1', [name])).rowCount;
const waiting = "from pg_stat_activity where wait_event = 'SyncRep'";
/** Cancels commits until one was waiting. */
const cancel = () =>
  vi.waitUntil(async () => (await operator.query(`select pg_cancel_backend(pid) ${waiting}`)).rowCount, 15_000);

test('a commit whose wait is cancelled is unknown although PostgreSQL acknowledges it, and its key replays it', async () => {
  const answer = create('Cancelled Ltd', 'cancelled');
  await cancel();
  const { status, headers, body } = await answer;
  expect([status, headers['retry-after'], body]).toEqual([
    503,
    '5',
    { message: 'Service Unavailable', outcome: 'unknown' },
  ]);
  expect(await deps.metrics.text()).toContain('\ntenure_unknown_outcomes_total 1\n');
  expect(await named('Cancelled Ltd')).toBe(1);
  await setWaiting('local');
  const again = await create('Cancelled Ltd', 'cancelled');
  expect([again.status, again.headers['idempotent-replayed']]).toEqual([201, 'true']);
  expect(await named('Cancelled Ltd')).toBe(1);
});

test('a statement outside a transaction whose wait is cancelled is unknown too', async () => {
  const guest = await as();
  // counts the failed attempt
  const answer = guest.post('/login', { email: 'nobody@acme.example', password: 'Wr0ng!Passw0rd' });
  await cancel();
  expect((await answer).status).toBe(503);
  expect((await answer).body.outcome).toBe('unknown');
});

test('work in transactions of its own that waits too long is unknown too', async () => {
  await asOwner(`
    create function wait_for_standby() returns trigger language plpgsql as $$
      begin perform set_config('synchronous_commit', 'on', true); return new; end $$;
    create trigger wait_for_standby before update of password_hash on users for each row execute function wait_for_standby()`);
  await setWaiting('local');
  const person = await make.employee({ password: 'Str0ng!Passw0rd' });
  const own = await as(person.user_id);
  const password = 'An0ther#Phrase';
  const body = { current_password: 'Str0ng!Passw0rd', password, password_confirmation: password };
  const answer = await own.put('/api/profile/password', body);
  expect([answer.status, answer.body.outcome]).toEqual([503, 'unknown']);
  await cancel();
  await asOwner('drop trigger wait_for_standby on users');
});

test.skipIf(!hasPgBouncer)('the warning comes through a pooler', async () => {
  const guest = await pooled?.as();
  for (const [name, value] of client.cookies) guest?.cookies.set(name, value);
  const answer = guest?.post('/api/entities', { name: 'Pooled Ltd' });
  await cancel();
  expect((await answer)?.body.outcome).toBe('unknown');
});

test('the limit of statements does not end a waiting commit, the driver does, and reads go on', async () => {
  const since = performance.now();
  const answer = create('Waiting Ltd', 'waiting');
  await vi.waitUntil(async () => (await operator.query(`select ${waiting}`)).rowCount, 15_000);
  expect((await client.get('/api/entities')).status).toBe(200);
  expect(await named('Waiting Ltd')).toBe(0);
  const { status, body } = await answer;
  expect([status, body.outcome]).toEqual([503, 'unknown']);
  const passed = performance.now() - since;
  expect(passed).toBeGreaterThan(5_500);
  // a rollback does not wait again
  expect(passed).toBeLessThan(2 * queryTimeout);
});

test('a read notes that its session is used, without waiting for the standby', async () => {
  await asOwner("update session_register set last_seen_at = now() - interval '90 seconds'");
  expect((await client.get('/api/me')).status).toBe(200);
  const { rows } = await operator.query(
    "select now() - max(last_seen_at) < interval '1 minute' as noted from session_register",
  );
  expect(rows).toEqual([{ noted: true }]);
});
