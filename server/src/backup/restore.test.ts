import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { auditBreaks } from '../audit-chain.ts';
import { connect } from '../db/connect.ts';
import { migrate } from '../db/migrate.ts';
import { unfinishedRestore } from '../db/unfinished.ts';
import { addJob } from '../jobs/queue.ts';
import { logTo } from '../logging.ts';
import { startApp } from '../testing/app.ts';
import type { TestApp } from '../testing/app.ts';
import type { TestDatabase } from '../testing/databases.ts';
import { backupsOf, filesOf } from '../testing/backups.ts';
import { emptyDatabase } from '../testing/databases.ts';
import type { BackupTest } from '../testing/backups.ts';
import { brokenInvariants } from '../invariants/invariants.ts';
import { backup } from './command.ts';
import { runDrill, restore } from './restore-command.ts';
import { logRestored, recordRestore } from './restored.ts';
import type { RestoreCommand } from './restore-command.ts';
import { readTables, copySettings, sumOf } from './tables.ts';

// each test restores one or two databases, with all migrations
vi.setConfig({ testTimeout: 180_000 });

let app: TestApp;
let archive: BackupTest;
let id: string;
const picture = 'what the picture shows';

beforeAll(async () => {
  app = await startApp();
  await app.make.admin();
  const entity = await app.make.entity();
  for (let count = 0; count < 20; count += 1) await app.make.employee({ entity_id: entity.id });
  const key = await app.deps.files.keep(await app.deps.files.receive([Buffer.from(picture)], { maxBytes: 1_000 }));
  await app.owner.query('update employees set picture_key = $1 where id = (select min(id) from employees)', [key]);
  await addJob(app.deps.db, 'publish_kpi_cycle', { id: 7 }, { key: 'publish 7', queue: 'cycles', maxAttempts: 9 });
  archive = await backupsOf(app);
  ({ id } = await backup(archive.command));
});

async function folderFor(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'tenure-restored-'));
  afterAll(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

type More = Partial<RestoreCommand> & { settings?: Record<string, string> };

async function commandFor(target: TestDatabase, { settings, ...more }: More = {}): Promise<RestoreCommand> {
  const command = archive.with({
    DATABASE_URL: target.appUrl,
    DATABASE_MIGRATION_URL: target.ownerUrl,
    DATA_DIR: await folderFor(),
    ...settings,
  });
  return { ...command, replace: false, mail: 'hold', confirm: async () => true, checks: brokenInvariants, ...more };
}

async function read<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(copySettings);
    return await work(client);
  } finally {
    await client.end();
  }
}

const rowsOf = (url: string, text: string) =>
  read(url, async (client) => (await client.query<Record<string, unknown>>(text)).rows);

/** What a restore changes on purpose, and what the test itself writes. */
const changing = ['installation', 'audit_chain', 'audit_chain_reached', 'login_attempts', 'job_workers', 'backups'];

const sums = (url: string) =>
  read(url, async (client) => {
    const found: Record<string, unknown> = {};
    for (const table of await readTables(client))
      if (!changing.includes(table.name)) found[table.name] = await sumOf(client, table);
    return found;
  });

describe('a restore into an empty database', () => {
  test('has the rows, files, jobs and sequences of the backup, and holds what must hold', async () => {
    const target = await emptyDatabase();
    const command = await commandFor(target);
    expect(await restore(command)).toBe(true);
    // this database is created from a template without the extension
    expect(archive.printed.join('\n')).toContain('Indexes were not checked: this PostgreSQL has no amcheck');
    expect(await sums(target.ownerUrl)).toEqual(await sums(app.database.ownerUrl));
    const [file = ''] = await filesOf(join(command.config.DATA_DIR, 'files', 'kept'));
    expect(await readFile(file, 'utf8')).toBe(picture);
    expect(
      await rowsOf(target.ownerUrl, 'select task_identifier, key, queue_name, max_attempts from graphile_worker.jobs'),
    ).toEqual([{ task_identifier: 'publish_kpi_cycle', key: 'publish 7', queue_name: 'cycles', max_attempts: 9 }]);
    const structure = `
      select 'index' as kind, indexdef as text from pg_indexes where schemaname = 'public' union all
      select 'constraint', conrelid::regclass || ' ' || pg_get_constraintdef(oid) from pg_constraint
      where connamespace = 'public'::regnamespace union all
      select 'trigger', pg_get_triggerdef(oid) || tgenabled::text from pg_trigger where not tgisinternal order by 1, 2`;
    expect(await rowsOf(target.ownerUrl, structure)).toEqual(await rowsOf(app.database.ownerUrl, structure));
    const { db } = connect({ url: target.ownerUrl, max: 1 });
    expect(await brokenInvariants(db)).toEqual([]);
    expect(await auditBreaks(db)).toEqual([]);
    await db.destroy();
    expect(await rowsOf(target.ownerUrl, 'select last_value from users_id_seq')).toEqual(
      await rowsOf(app.database.ownerUrl, 'select last_value from users_id_seq'),
    );
  });

  test('serves: earlier sessions have ended, and the application role has its rights only', async () => {
    const before = await app.as((await app.make.admin()).user_id);
    expect((await before.get('/api/me')).status).toBe(200);
    const other = await backup(archive.command);
    const target = await emptyDatabase();
    await restore(await commandFor(target, { backup: other.id }));
    const epochs = async (url: string) =>
      (await rowsOf(url, 'select global_epoch from installation'))[0]?.['global_epoch'];
    expect(await epochs(target.ownerUrl)).toBe(Number(await epochs(app.database.ownerUrl)) + 1);
    await expect(rowsOf(target.appUrl, 'update audit_log set reason = null')).rejects.toThrow('permission denied');
    expect(await migrate(target.ownerUrl, new URL(target.appUrl).username)).toEqual([]);
    await rowsOf(target.appUrl, 'select count(*) from employees');
  });

  test('is listed with what it came from, and the first start after it logs it once', async () => {
    const target = await emptyDatabase();
    await restore(await commandFor(target, { backup: id }));
    expect(await rowsOf(target.appUrl, 'select kind, status, backup, details from backups order by id desc')).toEqual([
      { kind: 'drill', status: 'done', backup: id, details: { restored: true, faults: 0 } },
    ]);
    const { db } = connect({ url: target.appUrl, max: 1 });
    const lines: string[] = [];
    const log = logTo('info', { write: (line: string) => void lines.push(line) });
    await logRestored(db, log);
    await logRestored(db, log);
    const time = '2026-11-22T06:30:00.000Z';
    await recordRestore(db, { backup: id, startedAt: new Date(), time }, 0);
    await logRestored(db, log);
    await db.destroy();
    // the time of the row is not that of the database
    expect(lines.at(-1)?.match(/"time":/g)).toHaveLength(1);
    expect(JSON.parse(lines.pop() ?? '')).toMatchObject({ event: 'restored', to_time: time });
    // a database that was not restored
    await logRestored(app.deps.db, log);
    expect(lines.map((line) => JSON.parse(line) as object)).toMatchObject([
      { event: 'restored', backup: id, faults: 0 },
    ]);
  });

  test('holds mails that were due, unless they are to be sent; later ones stay', async () => {
    const [mail] = await rowsOf(
      app.database.ownerUrl,
      `with n as (insert into notifications (user_id, event, severity, subject_type, url, dedupe_key)
                  select min(id), 'password_link', 'info', 'users', '/', 'restore test' from users returning id, user_id)
       insert into notification_deliveries (notification_id, user_id, channel, address, next_attempt_at)
       select id, user_id, 'email', 'a@acme.example', now() + make_interval(days => d) from n, unnest('{-1,30}'::int[]) as d
       returning id`,
    );
    expect(mail).toBeDefined();
    const made = await backup(archive.command);
    const states = async (url: string) =>
      (await rowsOf(url, 'select status from notification_deliveries order by next_attempt_at')).map(
        (row) => row['status'],
      );
    const [held, sent] = [await emptyDatabase(), await emptyDatabase()];
    await restore(await commandFor(held, { backup: made.id }));
    await restore(await commandFor(sent, { backup: made.id, mail: 'send' }));
    expect(await states(held.ownerUrl)).toEqual(['failed', 'pending']);
    expect(await states(sent.ownerUrl)).toEqual(['pending', 'pending']);
  });
});

describe('a database in use', () => {
  const filled = async () => {
    const target = await emptyDatabase();
    await migrate(target.ownerUrl, new URL(target.appUrl).username);
    await rowsOf(target.ownerUrl, "insert into users (email) values ('before@acme.example')");
    return target;
  };
  const emails = (url: string, schema = 'public') => rowsOf(url, `select email from ${schema}.users order by id`);

  test('is refused, and kept with --replace', async () => {
    const target = await filled();
    await expect(restore(await commandFor(target))).rejects.toThrow(/contains tables: add --replace to keep them/);
    expect(await emails(target.ownerUrl)).toEqual([{ email: 'before@acme.example' }]);
    expect(await restore(await commandFor(target, { replace: true, backup: id }))).toBe(true);
    const [kept] = await rowsOf(
      target.ownerUrl,
      "select nspname::text from pg_namespace where nspname like 'public_before_%'",
    );
    expect(await emails(target.ownerUrl, String(kept?.['nspname']))).toEqual([{ email: 'before@acme.example' }]);
    expect(await emails(target.ownerUrl)).not.toContainEqual({ email: 'before@acme.example' });
    // again: the kept tables do not get in the way
    await migrate(target.ownerUrl, new URL(target.appUrl).username);
  });

  test('is left alone while a process uses it', async () => {
    const target = await filled();
    const command = await commandFor(target, { replace: true });
    await read(target.appUrl, async () => {
      await expect(restore(command)).rejects.toThrow(/^This database is in use \(1 connection/);
    });
    expect(await emails(target.ownerUrl)).toEqual([{ email: 'before@acme.example' }]);
  });

  test('is left alone when a process starts to use it after the question', async () => {
    const target = await filled();
    const service = new pg.Client(target.appUrl);
    const confirm = async () => {
      await service.connect();
      return true;
    };
    const command = await commandFor(target, { replace: true, confirm });
    await expect(restore(command)).rejects.toThrow(/^This database is in use \(1 connection/);
    await service.end();
    expect(await emails(target.ownerUrl)).toEqual([{ email: 'before@acme.example' }]);
  });

  test('is as it was when the person says no, and when the backup is damaged', async () => {
    const target = await filled();
    expect(await restore(await commandFor(target, { replace: true, confirm: async () => false }))).toBe(false);
    const manifest = JSON.parse(await readFile(join(archive.folder, 'backups', id, 'manifest.json'), 'utf8')) as {
      tables: Record<string, { chunks: string[] }>;
    };
    const [chunk = ''] = manifest.tables['users']?.chunks ?? [];
    const path = join(archive.folder, 'chunks', chunk.slice(0, 2), chunk);
    const content = await readFile(path);
    await writeFile(path, Buffer.from(content).fill(0, 20, 22));
    const command = await commandFor(target, { replace: true, backup: id });
    const refusal = await restore(command).then(String, (error: Error) => error.message);
    await writeFile(path, content);
    expect(refusal).toContain(`${chunk} in the archive is damaged`);
    expect(await emails(target.ownerUrl)).toEqual([{ email: 'before@acme.example' }]);
    expect(await rowsOf(target.ownerUrl, "select from pg_namespace where nspname like '%before%'")).toEqual([]);
    await migrate(target.ownerUrl);
  });

  test('is put back when the restore fails after its rows are there', async () => {
    const target = await filled();
    const checks = async () => Promise.reject(new Error('the checks broke'));
    await expect(restore(await commandFor(target, { replace: true, checks }))).rejects.toThrow('the checks broke');
    expect(await emails(target.ownerUrl)).toEqual([{ email: 'before@acme.example' }]);
    await migrate(target.ownerUrl, new URL(target.appUrl).username);
    expect(await restore(await commandFor(target, { replace: true }))).toBe(true);
  });

  test('with half a restore starts no service, and is restored again', async () => {
    const target = await emptyDatabase();
    const command = await commandFor(target);
    await restore(command);
    // what a restore leaves behind when it is killed after writing its rows
    await rowsOf(target.ownerUrl, `create table ${unfinishedRestore} as select store_id from installation`);
    await rowsOf(target.ownerUrl, 'update installation set store_id = gen_random_uuid()');
    await expect(migrate(target.ownerUrl)).rejects.toThrow('A restore into this database was interrupted.');
    expect(await restore(command)).toBe(true);
    expect(await rowsOf(target.ownerUrl, "select from pg_namespace where nspname like '%before%'")).toEqual([]);
    await migrate(target.ownerUrl);
  });
});

describe('before anything is done', () => {
  type Changing = { release: string; migrations: Record<string, string>; tables: Record<string, { rows: number }> };

  /** The response of a restore to a manifest that was changed; it leaves the database empty. */
  async function refusalOf(change: (manifest: Changing) => void): Promise<string> {
    const path = join(archive.folder, 'backups', id, 'manifest.json');
    const content = await readFile(path, 'utf8');
    const manifest = JSON.parse(content) as Changing;
    change(manifest);
    await writeFile(path, JSON.stringify(manifest));
    const target = await emptyDatabase();
    const command = await commandFor(target, { backup: id });
    const refusal = await restore(command).then(String, (error: Error) => error.message);
    await writeFile(path, content);
    const tables = "select from pg_class where relnamespace = 'public'::regnamespace";
    expect(await rowsOf(target.ownerUrl, tables)).toEqual([]);
    return refusal;
  }

  test('a backup of a newer release is refused by name', async () => {
    const refusal = await refusalOf((manifest) => {
      manifest.release = '9.9.9';
      manifest.migrations['20991231_0000_far.sql'] = 'x';
    });
    expect(refusal).toContain('newer release (9.9.9), whose migration 20991231_0000_far.sql is unknown here');
  });

  test('a migration of other content is refused by name', async () => {
    const name = '20261121_0411_foundation.sql';
    const refusal = await refusalOf(({ migrations }) => (migrations[name] = 'x'));
    expect(refusal).toContain(`another version of the migration ${name}: use release 0.1.0.`);
  });

  test('rows that differ from their number or sum are refused by name', async () => {
    const refusal = await refusalOf(({ tables }) => (tables['users'] = { ...tables['users'], rows: 3 }));
    expect(refusal).toContain(`The rows of users in the backup ${id} were changed or damaged`);
  });

  test('a folder without backups, an unknown backup, a wrong key', async () => {
    const target = await emptyDatabase();
    const folder = await folderFor();
    await expect(restore(await commandFor(target, { folder }))).rejects.toThrow(
      `${folder} contains no backups of Tenure`,
    );
    await expect(restore(await commandFor(target, { backup: 'x' }))).rejects.toThrow('There is no backup x');
    await writeFile(join(folder, 'archive.json'), '{}');
    await expect(restore(await commandFor(target, { folder }))).rejects.toThrow('archive.json that is not from Tenure');
    const other = await backupsOf(app);
    await backup(other.with({ BACKUP_PASSPHRASE: 'correct horse battery' }));
    const from = { folder: other.folder };
    await expect(restore(await commandFor(target, from))).rejects.toThrow('The backup is encrypted: give --identity');
    const settings = { BACKUP_PASSPHRASE: 'incorrect horse battery' };
    await expect(restore(await commandFor(target, { ...from, settings }))).rejects.toThrow(
      'The passphrase is not the one',
    );
    expect(
      await restore(await commandFor(target, { ...from, settings: { BACKUP_PASSPHRASE: 'correct horse battery' } })),
    ).toBe(true);
  });

  test('a database that does not answer', async () => {
    const nowhere = 'postgres://tenure:x@127.0.0.1:1/tenure';
    await expect(restore(await commandFor({ ownerUrl: nowhere, appUrl: nowhere }))).rejects.toThrow(
      /does not answer|ECONNREFUSED/,
    );
  });
});

test('a drill restores beside the service, leaves nothing, and is in the list of runs', async () => {
  const command = { ...(await commandFor(app.database)), backup: id };
  expect(await runDrill(command)).toMatchObject({ id, faults: [] });
  expect(await filesOf(command.config.DATA_DIR)).toEqual([]);
  const runs = await rowsOf(app.database.ownerUrl, "select status, backup from backups where kind = 'drill'");
  expect(runs).toEqual([{ status: 'done', backup: id }]);
  const faulty = { ...command, checks: async () => ['people are missing'] };
  expect(await runDrill(faulty)).toMatchObject({ faults: ['people are missing'] });
  expect(archive.printed.join('\n')).toContain('Fault: people are missing');
});
