import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { fromDatabase } from '../http/errors.ts';
import type { HttpError } from '../http/errors.ts';
import { startApp } from '../testing/app.ts';
import { cloneDatabase } from '../testing/databases.ts';
import type { Client } from '../testing/client.ts';
import { startLine } from '../testing/database-line.ts';

const database = await cloneDatabase();
const line = await startLine(database.appUrl);
const { make, as, owner, app, deps, logged } = await startApp({}, { database, connect: { url: line.url, max: 4 } });
const operator = new pg.Pool({ connectionString: database.appUrl, max: 1 });
const admin = await make.admin();
let client: Client;

beforeEach(async () => {
  line.mend();
  client = await as(admin.user_id);
});
afterAll(async () => {
  await operator.end();
  await line.close();
});

const named = async (name: string) =>
  (await owner.query<{ name: string }>('select name from entities where name = $1', [name])).rows.length;
const create = (name: string, key?: string) =>
  client.post('/api/entities', { name }, key ? { 'idempotency-key': key } : undefined);

test('without a database requests get 503, and succeed when it is back', async () => {
  line.cut();
  for (const answer of [await client.get('/api/entities'), await create('Cut Off Ltd')])
    expect([answer.status, answer.headers['retry-after'], answer.body]).toEqual([
      503,
      '5',
      { message: 'Service Unavailable' },
    ]);
  expect((await app.inject('/livez')).statusCode).toBe(200);
  line.mend();
  expect((await client.get('/api/entities')).status).toBe(200);
  expect(await named('Cut Off Ltd')).toBe(0);
});

test('a commit whose answer was lost is unknown and not repeated, and its key replays it', async () => {
  line.cutAfter('commit');
  const answer = await create('Perhaps Ltd', 'perhaps');
  expect([answer.status, answer.body.outcome]).toEqual([503, 'unknown']);
  line.mend();
  expect(await deps.metrics.text()).toContain('\ntenure_unknown_outcomes_total 1\n');
  const events = logged.map((text) => JSON.parse(text) as Record<string, unknown>);
  expect(events.filter(({ event }) => event === 'unknown_outcome')).toMatchObject([
    { request_id: answer.headers['x-request-id'], actor_id: admin.user_id, method: 'POST', route: '/api/entities' },
  ]);
  const again = await create('Perhaps Ltd', 'perhaps');
  expect([again.status, again.headers['idempotent-replayed']]).toEqual([201, 'true']);
  expect(await named('Perhaps Ltd')).toBe(1);
});

test('backends ended repeatedly fail requests, but never the process, and cause no double effect', async () => {
  const end = () =>
    operator.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
       where datname = current_database() and usename = current_user and pid <> pg_backend_pid()`,
    );
  const told: [name: string, status: number][] = [];
  for (let round = 0; round < 10; round += 1) {
    const writes = [1, 2, 3].map(async (n) => {
      const name = `Storm ${round} ${n} Ltd`;
      told.push([name, (await create(name)).status]);
    });
    await Promise.all([...writes, end()]);
  }
  for (const [name, status] of told) {
    expect([201, 503]).toContain(status);
    const there = await named(name);
    if (status === 201) expect(there).toBe(1);
    else expect(there).toBeLessThan(2);
  }
  expect((await create('After the storm Ltd')).status).toBe(201);
});

test('requests to a locked table get 503, and other requests succeed', async () => {
  const holder = await owner.connect();
  await holder.query('begin; lock table entities in access exclusive mode');
  const [refused, me] = await Promise.all([create('Locked Ltd'), client.get('/api/me')]);
  expect([refused.status, me.status]).toEqual([503, 200]);
  await holder.query('rollback');
  holder.release();
  expect((await create('Locked Ltd')).status).toBe(201);
});

test('a statement that the server cancels at its time limit is undone, and its outcome known', async () => {
  await owner.query(`
    create function rest() returns trigger language plpgsql as $$ begin perform pg_sleep(30); return null; end $$;
    create trigger rest after insert on entities for each row when (new.name like 'Slow%') execute function rest();
    create trigger rest after insert on login_attempts for each row execute function rest()`);
  const kept = async () => [
    await named('Slow Ltd'),
    (await owner.query("select from login_attempts where key = 'account:slow'")).rows.length,
  ];
  // one in a transaction; one outside, whose server rolls back before it answers
  const [answer, alone] = await Promise.all([
    create('Slow Ltd', 'slow'),
    sql`insert into login_attempts (key) values ('account:slow')`.execute(deps.db).catch((error: unknown) => error),
  ]);
  expect([answer.status, answer.body]).toEqual([503, { message: 'Service Unavailable' }]);
  expect(alone).toMatchObject({ code: '57014' });
  const { status, body } = fromDatabase(alone) as HttpError;
  expect([status, body['outcome']]).toEqual([503, undefined]);
  expect(await kept()).toEqual([0, 0]);
  await owner.query('drop function rest() cascade');
  // so a retry with its key does the work now
  const again = await create('Slow Ltd', 'slow');
  expect([again.status, again.headers['idempotent-replayed']]).toEqual([201, undefined]);
  expect(await kept()).toEqual([1, 0]);
}, 30_000);

test('while all connections are in use requests get 503, and liveness succeeds', async () => {
  const held = await Promise.all([1, 2, 3, 4].map(() => deps.pool.connect()));
  const answer = client.get('/api/entities');
  expect((await app.inject('/livez')).statusCode).toBe(200);
  expect((await answer).status).toBe(503);
  for (const connection of held) connection.release();
  expect((await client.get('/api/entities')).status).toBe(200);
});
