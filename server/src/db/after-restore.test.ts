import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, describe, expect, test, vi } from 'vitest';
import { auditBreaks, chainAuditLog } from '../audit-chain.ts';
import { startApp } from '../testing/app.ts';
import { cloneDatabase } from '../testing/databases.ts';
import type { TestDatabase } from '../testing/databases.ts';
import { programOf } from '../testing/program.ts';
import { afterRestore, refuseInUse } from './after-restore.ts';
import { askIn } from './ask.ts';
import { connect } from './connect.ts';
import { migrationLock } from './migrate.ts';

const { as, deps, owner, database, make } = await startApp();
const { db: asOwner } = connect({ url: database.ownerUrl, max: 1 });
afterAll(() => asOwner.destroy());

const rowsOf = async (statement: string) => (await owner.query<Record<string, unknown>>(statement)).rows;

/** Chains until this many entries have no link: an open transaction of another test's database holds rows back. */
const chainUntil = (left: number) =>
  vi.waitFor(
    async () => {
      await chainAuditLog(deps.db);
      expect(
        await rowsOf('select 1 from audit_log a where not exists (select from audit_chain where audit_id = a.id)'),
      ).toHaveLength(left);
    },
    { timeout: 10_000 },
  );

const held = `
  select (select count(*)::int from graphile_worker._private_jobs where locked_by is not null) as jobs,
         (select count(*)::int from graphile_worker._private_job_queues where locked_by is not null) as queues,
         (select count(*)::int from imports where leased_until > now()) as imports,
         (select count(*)::int from notification_deliveries where leased_until is not null) as mails,
         (select count(*)::int from job_workers) as workers, (select count(*)::int from login_attempts) as tries`;

/** The rows of a busy service, copied with the transaction numbers of another server. */
async function restoreFromElsewhere(userId: number) {
  await owner.query(`
    insert into audit_log (actor_name, action, subject_type, subject_label, transaction)
    select 'System', 'entity.created', 'entity', 'copied', t::text::xid8 from generate_series(3, 5) as t;
    update audit_chain_reached set transaction = '8000000000000000000';
    insert into job_workers (id) values ('former');
    insert into login_attempts (key, attempts, failed) values ('account:somebody', 20, 20);
    select graphile_worker.add_job('resume_imports', queue_name => 'former');
    update graphile_worker._private_jobs set locked_by = 'former', locked_at = now();
    update graphile_worker._private_job_queues set locked_by = 'former', locked_at = now();
    insert into imports (type, status, file_name, file_size, file_hash, format, dry_run, mode, on_conflict, date_format,
                         create_departments, columns, lease, leased_until, created_by, created_by_name)
    values ('employees', 'processing', 'people.csv', 1, 'x', 'csv', true, 'partial', 'fail', 'auto', false, '[]',
            'former', now() + interval '1 hour', ${userId}, 'Admin');
    with told as (
      insert into notifications (user_id, event, severity, subject_type, url, dedupe_key)
      values (${userId}, 'email_changed', 'info', 'user', '/profile', 'once') returning id)
    insert into notification_deliveries (notification_id, channel, leased_until)
    select id, 'email', now() + interval '1 hour' from told`);
}

test('a database restored from another server forgets its time there', async () => {
  const { user_id } = await make.admin();
  const browser = await as(user_id);
  await chainUntil(0);
  await restoreFromElsewhere(user_id);
  // so it would stay forever
  await chainUntil(3);
  expect(await rowsOf(held)).toEqual([{ jobs: 1, queues: 1, imports: 1, mails: 1, workers: 1, tries: 1 }]);
  expect((await browser.get('/api/me')).status).toBe(200);

  expect(await afterRestore(asOwner)).toEqual({ sessions: 1, workers: 1, tries: 1 });

  await chainUntil(0);
  expect(await auditBreaks(deps.db)).toEqual([]);
  expect(await rowsOf(held)).toEqual([{ jobs: 0, queues: 0, imports: 0, mails: 0, workers: 0, tries: 0 }]);
  expect((await browser.get('/api/me')).status).toBe(401);
});

test('a repetition finds nothing and leaves the chain as it is', async () => {
  const chain = await rowsOf('select * from audit_chain order by position');
  expect(await afterRestore(asOwner)).toEqual({ sessions: 0, workers: 0, tries: 0 });
  await chainUntil(0);
  expect(await rowsOf('select * from audit_chain order by position')).toEqual(chain);
});

test('in a transaction that is rolled back nothing changes', async () => {
  const { user_id } = await make.admin();
  const browser = await as(user_id);
  const refused = asOwner.transaction().execute(async (trx) => {
    expect(await afterRestore(trx)).toMatchObject({ sessions: 1 });
    throw new Error('the files are not there');
  });
  await expect(refused).rejects.toThrow('the files are not there');
  expect((await browser.get('/api/me')).status).toBe(200);
});

test('those whose tokens end are notified, in the application and by mail', async () => {
  const entity = await make.entity();
  const [holder, keeper, quiet] = [
    await make.employee({ entity_id: entity.id }),
    await make.employee({ entity_id: entity.id, roles: ['Admin'] }),
    await make.employee({ entity_id: entity.id }),
  ];
  const admin = await as(keeper.user_id);
  const sent = { name: 'Payroll', owner_ids: [keeper.user_id] };
  const { body } = await admin.post('/api/service-accounts', sent);
  await owner.query(`insert into notification_mutes (user_id, event, channel) values ($1, 'token_ending', 'email')`, [
    quiet.user_id,
  ]);
  await owner.query(
    `insert into api_tokens (user_id, kind, name, hash, hint, permissions, epoch, global_epoch, expires_at)
     select v.user_id, v.kind, 'One', repeat(v.letter, 64), 'abcd', '{employees.view}', u.token_epoch, i.global_epoch,
            now() + v.days * interval '1 day'
     from (values ($1::bigint, 'personal', 'a', 9), ($1, 'personal', 'b', 9), ($1, 'personal', 'c', -1),
                  ($2::bigint, 'personal', 'd', 9), ($3::bigint, 'service', 'e', 9)) as v (user_id, kind, letter, days)
     join users u on u.id = v.user_id cross join installation i`,
    [holder.user_id, quiet.user_id, body.data.id],
  );
  const notified = async ({ user_id }: { user_id: number }) =>
    (
      await owner.query(
        `select n.variant, n.shown, n.params, count(d.id)::int as mails from notifications n
         left join notification_deliveries d on d.notification_id = n.id and d.status = 'pending'
         where n.user_id = $1 and n.event = 'token_ending' group by n.id order by n.id`,
        [user_id],
      )
    ).rows;
  await afterRestore(asOwner);
  const expected = [
    [{ variant: 'restored', shown: true, params: { count: 2, account: null }, mails: 1 }],
    [{ variant: 'restored', shown: true, params: { count: 1, account: null }, mails: 0 }],
    [{ variant: 'restored_service', shown: true, params: { count: 1, account: 'Payroll' }, mails: 1 }],
  ];
  expect([await notified(holder), await notified(quiet), await notified(keeper)]).toEqual(expected);
  // repeating it ends nothing and notifies no one
  await afterRestore(asOwner);
  expect([await notified(holder), await notified(quiet), await notified(keeper)]).toEqual(expected);
  const { body: list } = await (await as(holder.user_id)).get('/api/notifications');
  expect(list.data[0]).toMatchObject({
    title: 'Your 2 access tokens no longer work',
    data: { url: '/profile?part=security' },
  });
});

test('the role of the application may not do it', async () => {
  await expect(afterRestore(deps.db)).rejects.toMatchObject({ code: '42501' });
});

test('connections of the named roles are found and no others', async () => {
  await owner.query('select 1');
  const refuse = (roles: string[]) => deps.db.transaction().execute((trx) => refuseInUse(askIn(trx), roles));
  await expect(refuse(['no_such_role'])).resolves.toBeUndefined();
  await expect(refuse([new URL(database.ownerUrl).username])).rejects.toThrow(
    /^This database is in use \(\d+ connection/,
  );
});

test('connections that are just closing are waited for', async () => {
  const stopped = await cloneDatabase();
  const user = new pg.Client(stopped.appUrl);
  await user.connect();
  const { db } = connect({ url: stopped.ownerUrl, max: 1 });
  setTimeout(() => void user.end(), 500);
  const role = new URL(stopped.appUrl).username;
  await expect(db.transaction().execute((trx) => refuseInUse(askIn(trx), [role]))).resolves.toBeUndefined();
  await db.destroy();
});

describe('npm run after-restore', () => {
  async function run(settings: Record<string, string>) {
    const child = spawn(process.execPath, programOf('after-restore'), {
      env: { PATH: process.env.PATH, ...settings },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const said: string[] = [];
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => said.push(String(chunk)));
    const [code] = (await once(child, 'close')) as [number];
    return { code, said: said.join('') };
  }

  const addresses = ({ appUrl, ownerUrl }: TestDatabase) => ({
    DATABASE_URL: appUrl,
    DATABASE_MIGRATION_URL: ownerUrl,
  });

  test('does it for a database that no service uses, and says what it did', async () => {
    const unused = await cloneDatabase();
    const client = new pg.Client({ connectionString: unused.ownerUrl });
    await client.connect();
    await client.query("insert into login_attempts (key) values ('account:somebody')");
    await client.end();
    const { code, said } = await run(addresses(unused));
    expect(said).toContain('Counters of failed sign-ins deleted: 1.');
    expect([code, said.trimEnd().split('\n').length]).toEqual([0, 4]);
  });

  test('refuses while a service is connected, and changes nothing', async () => {
    await deps.pool.query('select 1');
    await owner.query("insert into job_workers (id) values ('alive')");
    const { code, said } = await run(addresses(database));
    expect(said).toMatch(/^This database is in use \(\d+ connections? of tenure_app or tenure_owner\)\. Stop /);
    expect([code, said.trimEnd().split('\n').length]).toEqual([1, 1]);
    expect(await rowsOf('select id from job_workers')).toEqual([{ id: 'alive' }]);
  });

  test('refuses while a service starts', async () => {
    const starting = await cloneDatabase();
    const client = new pg.Client({ connectionString: starting.ownerUrl });
    await client.connect();
    await client.query('begin');
    await client.query('select pg_advisory_xact_lock($1)', [migrationLock]);
    expect(await run(addresses(starting))).toEqual({
      code: 1,
      said: 'A service is starting on this database. Stop it and repeat the command.\n',
    });
    await client.end();
  });

  test('makes no database where there is none', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'tenure-empty-'));
    const said = `DATA_DIR ${folder} contains no database: set DATA_DIR or DATABASE_URL as for the service.\n`;
    expect(await run({ DATA_DIR: folder })).toEqual({ code: 1, said });
    expect(await readdir(folder)).toEqual([]);
    await rm(folder, { recursive: true });
  });
});
