import { execFile, spawn } from 'node:child_process';
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import pg from 'pg';
import { afterEach, expect, test, vi } from 'vitest';
import { debianServer } from '../testing/debian-server.ts';
import type { DebianServer } from '../testing/debian-server.ts';
import { freePort } from '../testing/free-port.ts';
import { moment } from '../testing/points.ts';
import { remote, signIn } from '../testing/remote.ts';
import type { Remote } from '../testing/remote.ts';
import { admin, startProcess } from '../testing/service-process.ts';
import type { Installation, ServiceProcess } from '../testing/service-process.ts';

/**
 * The procedures of docs/backup.md for external databases, with third-party tools and the files in deploy.
 * `npm run test:backup` says which of them are installed.
 */

const tools = (process.env['BACKUP_TOOLS'] ?? '').split(',');
const long = 600_000;
const run = promisify(execFile);
const deployed = (name: string) => readFile(new URL(`../../../deploy/${name}`, import.meta.url), 'utf8');

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).toReversed()) await cleanup();
}, long);

type External = { server: DebianServer; installation: Installation; query: (statement: string) => Promise<unknown[]> };

/** The database of an installation on a Debian server. */
async function prepareExternal(settings: readonly string[], env: Record<string, string> = {}): Promise<External> {
  const server = await debianServer();
  cleanups.push(() => server.remove());
  await server.start(settings, env);
  const query = async (statement: string, url = server.url('postgres', 'tenure')) => {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    try {
      return (await client.query<Record<string, unknown>>(statement)).rows;
    } finally {
      await client.end();
    }
  };
  await query('create role tenure login', server.url('postgres'));
  await query('create database tenure owner tenure', server.url('postgres'));
  const dataDir = await mkdtemp(join(tmpdir(), 'tenure-external-'));
  cleanups.push(() => rm(dataDir, { recursive: true, force: true }));
  const installation = { dataDir, port: await freePort(), settings: { DATABASE_URL: server.url('tenure') } };
  return { server, installation, query };
}

async function script(name: string, { dataDir, settings }: Installation) {
  const child = spawn(process.execPath, [`scripts/${name}.ts`], {
    env: { PATH: process.env.PATH, HOME: process.env.HOME, DATA_DIR: dataDir, ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const closed = new Promise<number | null>((done) => child.once('close', done));
  const [out, err] = await Promise.all([text(child.stdout), text(child.stderr)]);
  return { code: await closed, out, err };
}

type Written = { client: Remote; left: Map<string, string>; time: string };

/** Rows before and after a time, and a session that ends after it. */
async function writeAround(
  { query }: External,
  service: ServiceProcess,
  between: () => Promise<void>,
): Promise<Written> {
  await query('create schema ledger; create table ledger.lines (n int)');
  await query('insert into ledger.lines values (1)');
  await between();
  const client = await signIn(service.address, admin);
  const leaver = await signIn(service.address, admin);
  const left = new Map(leaver.cookies);
  await query('insert into ledger.lines values (2)');
  const time = `${new Date(await moment()).toISOString().slice(0, 19).replace('T', ' ')}+00`;
  await query('insert into ledger.lines values (3)');
  await leaver.post('/api/logout');
  return { client, left, time };
}

/** What must hold after the tool has restored: without the command, ended sessions would be valid again. */
async function proveRestored({ installation, query }: External, { client, left }: Written) {
  expect(await query('select n from ledger.lines order by n')).toEqual([{ n: 1 }, { n: 2 }]);
  const after = await script('after-restore', installation);
  expect(after).toMatchObject({ code: 0, err: '' });
  expect(after.out).toMatch(/^Sessions ended: [1-9]/m);
  const service = await startProcess(installation);
  cleanups.push(() => service.stop());
  for (const cookies of [client.cookies, left])
    expect(await remote(service.address, new Map(cookies)).get('/api/me')).toMatchObject({ status: 401 });
  await signIn(service.address, admin);
  expect(await script('audit-verify', installation)).toMatchObject({ code: 0 });
}

/** The settings in a file of deploy. */
const settingsIn = (content: string) =>
  content
    .split('\n')
    .filter((line) => /^\w/.test(line))
    .map((line) => line.replace(/\s*=\s*/, '=').replace(/='(.*)'$/, '=$1'));

test.runIf(tools.includes('pgbackrest'))(
  'pgBackRest: full, diff, back to a moment',
  async () => {
    const files = await mkdtemp(join(tmpdir(), 'tenure-pgbackrest-'));
    await chmod(files, 0o777);
    cleanups.push(() => rm(files, { recursive: true, force: true }));
    const config = join(files, 'pgbackrest.conf');
    await writeFile(config, await deployed('pgbackrest/pgbackrest.conf'));
    await chmod(config, 0o644);
    // the unchanged file, with a folder instead of the bucket
    const env: Record<string, string> = { PGBACKREST_CONFIG: config, PGBACKREST_REPO1_TYPE: 'posix' };
    for (const name of ['repo1-path', 'log-path', 'lock-path', 'spool-path'])
      env[`PGBACKREST_${name.toUpperCase().replaceAll('-', '_')}`] = join(files, name);
    const settings = settingsIn(await deployed('pgbackrest/postgresql.conf'));
    // the location of the cluster is only known after it is created
    const external = await prepareExternal(
      settings.filter((line) => !line.startsWith('archive_command')),
      env,
    );
    const { server } = external;
    Object.assign(env, {
      PGBACKREST_PG1_PATH: server.cluster,
      PGBACKREST_PG1_SOCKET_PATH: server.socket,
      PGBACKREST_PG1_USER: 'postgres',
    });
    await server.stop();
    await server.start(settings, env);
    const pgbackrest = (...args: string[]) =>
      run('pgbackrest', ['--stanza=tenure', ...args], { ...server.as, env: { PATH: process.env.PATH, ...env } });
    const service = await startProcess(external.installation);
    cleanups.push(() => service.stop());
    await pgbackrest('stanza-create');
    await pgbackrest('check');
    await pgbackrest('--type=full', 'backup');
    const written = await writeAround(external, service, async () => void (await pgbackrest('--type=diff', 'backup')));
    await external.query('select pg_switch_wal()');
    const { stdout: info } = await pgbackrest('info');
    expect(info).toMatch(/full backup: .*[\s\S]*diff backup: /);
    await service.stop();
    await server.stop();
    await pgbackrest('--delta', '--type=time', `--target=${written.time}`, '--target-action=promote', 'restore');
    await server.start(settings, env);
    await proveRestored(external, written);
  },
  long,
);

test.runIf(tools.includes('barman'))(
  'Barman: WAL as it is written, a backup, back to a moment',
  async () => {
    const external = await prepareExternal(settingsIn(await deployed('barman/postgresql.conf')));
    const { server, query } = external;
    await query('create role barman login superuser; create role streaming_barman login replication');
    const home = await server.folder('barman');
    const config = join(home, 'barman.conf');
    const main = (await deployed('barman/barman.conf'))
      .replace(/^barman_user = .*$/m, `barman_user = ${server.as.uid === undefined ? process.env['USER'] : 'postgres'}`)
      .replace(/^configuration_files_directory = .*$/m, `configuration_files_directory = ${home}/barman.d`)
      .replace(/^barman_home = .*$/m, `barman_home = ${home}`)
      .replace(/^log_file = .*$/m, `log_file = ${home}/barman.log`);
    await server.folder('barman/barman.d');
    await writeFile(config, main);
    await writeFile(
      join(home, 'barman.d', 'tenure.conf'),
      (await deployed('barman/tenure.conf')).replaceAll('host=db.example.com', `host=${server.socket}`),
    );
    const env = { PATH: `/usr/lib/postgresql/15/bin:${process.env.PATH}`, HOME: home };
    const barman = (...args: string[]) => run('barman', ['-c', config, ...args], { ...server.as, env });
    const service = await startProcess(external.installation);
    cleanups.push(() => service.stop());
    await barman('receive-wal', '--create-slot', 'tenure');
    const receiver = spawn('barman', ['-c', config, 'receive-wal', 'tenure'], { ...server.as, env, stdio: 'ignore' });
    const ended = new Promise((done) => receiver.once('exit', done));
    cleanups.push(() => receiver.kill('SIGTERM'));
    const receives = () => query("select from pg_stat_replication where state = 'streaming'");
    await vi.waitUntil(async () => (await receives()).length > 0, { timeout: 120_000, interval: 200 });
    await barman('switch-wal', '--force', '--archive', '--archive-timeout', '300', 'tenure');
    await barman('backup', '--wait', 'tenure');
    const written = await writeAround(external, service, async () => undefined);
    await barman('switch-wal', '--force', '--archive', '--archive-timeout', '300', 'tenure');
    const { stdout: list } = await barman('list-backup', 'tenure');
    expect(list).toMatch(/^tenure \d{8}T\d{6} - /m);
    await service.stop();
    receiver.kill('SIGTERM');
    await ended;
    await server.stop();
    const target = await server.folder('recovered');
    await barman('recover', '--target-time', written.time, '--target-action', 'promote', 'tenure', 'latest', target);
    await server.start([], {}, target);
    await proveRestored(external, written);
  },
  long,
);
