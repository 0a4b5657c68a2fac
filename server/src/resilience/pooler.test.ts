import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, describe, expect, test, vi } from 'vitest';
import { generateKey } from '../crypto/keys.ts';
import { startApp } from '../testing/app.ts';
import { cloneDatabase } from '../testing/databases.ts';
import type { TestApp } from '../testing/app.ts';
import type { Answer } from '../testing/client.ts';
import { freePort } from '../testing/free-port.ts';
import { hasPgBouncer, startPooler } from '../testing/pooler.ts';
import type { TestPooler } from '../testing/pooler.ts';
import { signIn } from '../testing/remote.ts';
import { admin, spawnService, startProcess } from '../testing/service-process.ts';

/** The service behind a real PgBouncer in transaction mode. */

if (!hasPgBouncer) process.stdout.write('PgBouncer is not installed: the tests behind a pooler are skipped\n');

const direct = await cloneDatabase();
const owner = new pg.Pool({ connectionString: direct.ownerUrl, max: 2 });
const name = new URL(direct.ownerUrl).pathname.slice(1);
const scratch = await mkdtemp(join(tmpdir(), 'tenure-pooled-'));
const stops: (() => Promise<unknown>)[] = [];
afterAll(async () => {
  for (const stop of stops.toReversed()) await stop();
  await owner.end();
  await rm(scratch, { recursive: true, force: true });
});

/** Settings of an operator for the role, here only for this database. */
const set = (setting: string) => owner.query(`alter database ${name} set ${setting}`);

async function poolerWith(settings: Record<string, string> = {}): Promise<TestPooler> {
  const pooler = await startPooler([direct.appUrl, direct.ownerUrl], settings);
  stops.push(() => pooler.stop());
  return pooler;
}

const installation = async (pooler: TestPooler, settings: Record<string, string> = {}) => ({
  dataDir: join(scratch, 'data'),
  port: await freePort(),
  settings: {
    APP_KEY: key,
    DATABASE_URL: pooler.through(direct.appUrl),
    DATABASE_MIGRATION_URL: direct.ownerUrl,
    DATABASE_DIRECT_URL: direct.appUrl,
    DATABASE_POOLER: 'on',
    ...settings,
  },
});
const key = generateKey();

/** Why the service did not start. */
async function refusalOf(pooler: TestPooler, settings: Record<string, string> = {}) {
  const service = spawnService(await installation(pooler, settings));
  const code = await service.ended;
  return [code, service.events('start_refused').map(({ reason }) => String(reason))] as const;
}

describe.skipIf(!hasPgBouncer)('before the service starts', () => {
  const unset = { DATABASE_POOLER: '' };

  test('a pooler that is not announced is named, whether it refuses start options or drops them', async () => {
    const [code, [reason]] = await refusalOf(await poolerWith(), unset);
    expect(code).toBe(1);
    expect(reason).toMatch(/^DATABASE_POOLER: a pooler refuses connections \(.*options.*\); set DATABASE_POOLER=on$/);
    const [, [dropped]] = await refusalOf(await poolerWith({ ignore_startup_parameters: 'options' }), unset);
    expect(dropped).toContain(
      'statement_timeout 0 ms, so something between the service and the database drops their options',
    );
    expect(dropped).toContain('set DATABASE_POOLER=on');
  });

  test('a role without time zone and limit is refused in one line that says what to run', async () => {
    await set("timezone = 'Europe/Berlin'");
    const [code, reasons] = await refusalOf(await poolerWith());
    expect([code, reasons]).toEqual([
      1,
      [
        'DATABASE_POOLER: connections have the time zone Europe/Berlin and statement_timeout 0 ms; run "alter role ' +
          `"tenure_app" set timezone = 'UTC'; alter role "tenure_app" set statement_timeout = '5s'" and let the pooler reconnect`,
      ],
    ]);
    await set("timezone = 'UTC'");
    await set("statement_timeout = '6s'");
    expect((await refusalOf(await poolerWith()))[1].join()).toContain('statement_timeout 6000 ms');
  });
});

describe.skipIf(!hasPgBouncer)('a service behind a pooler', () => {
  const leftJobs = async () =>
    Number(
      (await owner.query<{ n: string }>('select count(*) as n from graphile_worker.jobs where key = $1', ['pooled']))
        .rows[0]?.n,
    );

  test('serves more requests at once than the pooler has connections, and its jobs go past the pooler', async () => {
    await set("timezone = 'UTC'");
    await set("statement_timeout = '5s'");
    const pooler = await poolerWith({ default_pool_size: '3' });
    const service = await startProcess(await installation(pooler));
    stops.push(() => service.stop());
    const client = await signIn(service.address, admin);
    const created = await Promise.all(
      Array.from({ length: 20 }, (_, n) => client.post('/api/entities', { name: `Pooled ${n} Ltd` })),
    );
    expect(created.map(({ status }) => status)).toEqual(created.map(() => 201));
    const { body } = (await client.get('/api/entities?per_page=100')) as { body: { data: { name: string }[] } };
    expect(body.data.filter((entity) => entity.name.startsWith('Pooled '))).toHaveLength(20);
    await pooler.stop('SIGKILL');
    expect((await client.get('/api/entities')).status).toBe(503);
    await owner.query("select graphile_worker.add_job('accept_lapsed_results', '{}', job_key => 'pooled')");
    await vi.waitFor(async () => expect(await leftJobs()).toBe(0), { timeout: 20_000 });
  });
});

// one connection, so that two clients share it
const narrow = hasPgBouncer ? await poolerWith({ default_pool_size: '1', query_wait_timeout: '1' }) : undefined;
const behindNarrow = (prepared: boolean) =>
  narrow && startApp({}, { database: direct, connect: { url: narrow.through(direct.appUrl), pooler: true, prepared } });
const plain = (await behindNarrow(false)) as TestApp;
const named = (await behindNarrow(true)) as TestApp;

describe.skipIf(!hasPgBouncer)('what a pooler answers', () => {
  const unavailable = [503, '5', { message: 'Service Unavailable' }];
  const told = ({ status, headers, body }: Answer) => [status, headers['retry-after'], body as unknown];

  test('a wait for a free connection that takes too long is 503, and the next request succeeds', async () => {
    const client = await plain.as((await plain.make.admin()).user_id);
    const holder = new pg.Client({ connectionString: narrow?.through(direct.appUrl) });
    await holder.connect();
    await holder.query('begin');
    expect(told(await client.get('/api/entities'))).toEqual(unavailable);
    expect(told(await client.post('/api/entities', { name: 'Late Ltd' }))).toEqual(unavailable);
    await holder.query('rollback');
    await holder.end();
    expect((await client.post('/api/entities', { name: 'Late Ltd' })).status).toBe(201);
  });

  test('named statements that meet those of another client are 503, not 500', async () => {
    const client = await named.as((await plain.make.admin()).user_id);
    expect((await client.get('/api/entities')).status).toBe(200);
    const held = await named.deps.pool.connect();
    expect(told(await client.get('/api/entities'))).toEqual(unavailable);
    held.release();
  });
});
