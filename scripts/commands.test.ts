import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, globSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { programOf } from '../server/src/testing/program.ts';
import { calledAs, commands, usage } from './commands.ts';

// each starts a process, which loads all that its command needs
vi.setConfig({ testTimeout: 120_000 });

const here = import.meta.dirname;
const read = (path: string) => readFileSync(join(here, '..', path), 'utf8');
const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };

/** Runs `tenure` as a release does, with a little of the environment. */
async function tenure(args: string[], env: Record<string, string> = {}) {
  const child = spawn(process.execPath, programOf('tenure', args), { env, stdio: ['ignore', 'pipe', 'pipe'] });
  const closed = once(child, 'close') as Promise<[number | null]>;
  const [out, err] = await Promise.all([text(child.stdout), text(child.stderr)]);
  return { status: (await closed)[0], out, err };
}

test('each command has its script, and npm runs the same', () => {
  for (const [name, { file, npm }] of Object.entries(commands)) {
    expect(existsSync(join(here, file)), name).toBe(true);
    if (npm) expect(scripts[npm], name).toMatch(new RegExp(`\\bscripts/${file}$`));
    if (npm) expect(calledAs(name)).toBe(`npm run ${npm} --`);
  }
});

test('the texts of the service name commands as a release has them too, which brings no npm', () => {
  const files = globSync(['server/src/**/*.ts', 'contract/locales/**/*.json'], { cwd: join(here, '..') });
  const shown = files.filter((path) => !/\.test\.ts$|\/(testing|access)\/|\.gen\.ts$/.test(path));
  expect(shown.length).toBeGreaterThan(500);
  const named = shown.flatMap((path) =>
    read(path)
      .split('\n')
      .filter((line) => !/^\s*(\/?\*|\/\/)/.test(line) && line.includes('npm run '))
      .map((line) => `${path}: ${line.trim()}`),
  );
  expect(named).toEqual([]);
});

test('a release starts with the limits of npm start', () => {
  const limits = scripts['start']?.match(/--max-\S+/g) ?? [];
  expect(limits).toHaveLength(2);
  expect(read('scripts/tenure.sh')).toContain(`limits='${limits.join(' ')}'`);
});

test('the page about installing lists every command', () => {
  const page = read('docs/install.md');
  for (const [name, { summary }] of Object.entries(commands))
    expect(page).toContain(`| \`tenure ${name}\` | ${summary} |`);
});

test('help lists every command, and an unknown one ends with exit code 2', async () => {
  for (const name of Object.keys(commands)) expect(usage).toMatch(new RegExp(`^  ${name} `, 'm'));
  expect(await tenure(['help'])).toEqual({ status: 0, out: `${usage}\n`, err: '' });
  expect(await tenure([])).toEqual({ status: 0, out: `${usage}\n`, err: '' });
  expect(await tenure(['toString'])).toEqual({ status: 2, out: '', err: `Unknown command: toString\n\n${usage}\n` });
});

test('a command gets its options', async () => {
  const { status, out } = await tenure(['backup', '--help']);
  expect([status, out.split('\n')[0]]).toEqual([0, 'npm run backup -- [--to FOLDER] [--new] [--force]']);
});

const nowhere = join(mkdtempSync(join(tmpdir(), 'tenure-command-')), 'absent');
const withoutDatabase = { DATA_DIR: nowhere, LOG_LEVEL: 'silent' };

test.each(Object.keys(commands))('%s says with --help what it takes, and does nothing', async (name) => {
  const { status, out, err } = await tenure([name, '--help'], withoutDatabase);
  expect([status, err]).toEqual([0, '']);
  expect(out).toContain(calledAs(name));
  expect(existsSync(nowhere)).toBe(false);
});

const withoutOptions = Object.keys(commands).filter((name) =>
  read(`scripts/${commands[name]?.file}`).includes('takeNoOptions('),
);

test.each([...withoutOptions, 'open-door'])(
  '%s refuses what it does not know before it does anything',
  async (name) => {
    const { status, out, err } = await tenure([name, '--nonsense'], withoutDatabase);
    expect([status !== 0, out, err]).toEqual([true, '', "Unknown option '--nonsense'. See --help.\n"]);
    expect(existsSync(nowhere)).toBe(false);
  },
);

test.each([
  [['backup', '--to', '/a', '--to=/b'], '--to is given twice: give it once. See --help.'],
  [['restore', '--backup', ''], '--backup has no value. See --help.'],
  [['backup', '--verify', '--identity', ' '], '--identity has no value. See --help.'],
  [['backup', '--to'], "Option '--to <value>' argument missing. See --help."],
  [['backup', '--list', '--new'], '--new cannot be used with --list. See --help.'],
  [['backup', '--verify', '--force'], '--force cannot be used with --verify. See --help.'],
  [['backup', '--prune', '--identity', '/a'], '--identity cannot be used with --prune. See --help.'],
  [['restore', '--check', '--replace'], '--replace cannot be used with --check. See --help.'],
  [['restore', '--check', '--use-store', '--yes'], '--use-store cannot be used with --check. See --help.'],
  [['restore', '--check', '--to-time', '2026-11-22T06:30:00Z'], 'Give one of --check and --to-time.'],
  [['audit-archive', '--list', '--dry-run'], '--dry-run cannot be used with --list. See --help.'],
  [['audit-archive', '--print', '2024-03', '--dry-run'], '--dry-run cannot be used with --print. See --help.'],
  ...['file:/mnt/backups', 's3:/bucket', 'FILE:backups', 'file:///mnt/%zz', 'file://machine/backups'].map(
    (address): [string[], string] => [
      ['backup', '--list', '--to', address],
      `${address} is neither a folder, for example /mnt/backups, nor s3://bucket/prefix.`,
    ],
  ),
  [
    ['backup', '--base', '--to', join(nowhere, 'backups')],
    'The service is not running: start it with BACKUP_WAL=on, because it also sends the WAL.',
  ],
  [['open-door', ''], 'Give the email address of one administrator. See --help.'],
  [
    ['move-files', '--to', '/srv/files'],
    '--to is neither file: nor a path such as file:///srv/files nor s3://bucket/prefix.',
  ],
])('%j is refused in one line', async (args, line) => {
  expect(await tenure(args, { ...withoutDatabase, BACKUP_URL: nowhere })).toEqual({
    status: 1,
    out: '',
    err: `${line}\n`,
  });
  expect(existsSync(nowhere)).toBe(false);
});

test.each(['audit-verify', 'open-door', 'after-restore'])('%s makes no database where there is none', async (name) => {
  expect(await tenure([name], withoutDatabase)).toEqual({
    status: 1,
    out: '',
    err: `DATA_DIR ${nowhere} contains no database: set DATA_DIR or DATABASE_URL as for the service.\n`,
  });
  expect(existsSync(nowhere)).toBe(false);
  const away = { ...withoutDatabase, DATABASE_URL: 'postgres://tenure:secret@127.0.0.1:1/tenure' };
  expect(await tenure([name], away)).toEqual({
    status: 1,
    out: '',
    err: 'The database does not answer (connect ECONNREFUSED 127.0.0.1:1): start it, or check its address.\n',
  });
});

test.each([
  'backup --list',
  'restore',
  'move-files',
  'after-restore',
  'audit-verify',
  'move-database --to embedded --check',
  'upgrade-database',
])('%s takes its log level from a file', async (line) => {
  const folder = mkdtempSync(join(tmpdir(), 'tenure-command-'));
  writeFileSync(join(folder, 'level'), 'silent\n');
  const { status, err } = await tenure(line.split(' '), {
    LOG_LEVEL_FILE: join(folder, 'level'),
    DATA_DIR: folder,
    DATABASE_URL: 'postgres://tenure@127.0.0.1:1/tenure',
  });
  // each needs more than it has here
  expect(status).toBe(1);
  expect(err).not.toContain('LOG_LEVEL');
});

test('a migration without its database says what to do', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'tenure-command-'));
  const { status, err } = await tenure(['migrate'], {
    DATA_DIR: folder,
    DATABASE_URL: 'postgres://tenure:Xylophone-77@127.0.0.1:1/tenure',
  });
  expect([status, err]).toEqual([
    1,
    'The database cannot be reached (connect ECONNREFUSED 127.0.0.1:1). Nothing listens there: start the server, ' +
      'or correct host and port\n',
  ]);
});

test('a DATA_DIR that is a file, or below /proc, is refused in one line', async () => {
  const file = join(mkdtempSync(join(tmpdir(), 'tenure-command-')), 'file');
  writeFileSync(file, '');
  const migrate = async (DATA_DIR: string) => {
    const { status, err } = await tenure(['migrate'], { DATA_DIR });
    return [status, err];
  };
  expect(await migrate(file)).toEqual([
    1,
    `DATA_DIR ${file} cannot be created: it is a file, or below one. Set DATA_DIR to a folder.\n`,
  ]);
  expect(await migrate(join(file, 'below'))).toEqual([
    1,
    `DATA_DIR ${join(file, 'below')} cannot be created: it is a file, or below one. Set DATA_DIR to a folder.\n`,
  ]);
  expect(await migrate('/proc/tenure')).toEqual([
    1,
    expect.stringMatching(/^DATA_DIR \/proc\/tenure cannot be created: .+, or choose another\.\n$/),
  ]);
});

test('version names the release', async () => {
  const { version } = JSON.parse(read('package.json')) as { version: string };
  expect((await tenure(['version'])).out).toBe(`Tenure ${version}, Node ${process.versions.node}\n`);
});

let answer = { status: 200, body: {} as object };
const server = createServer((request, response) => {
  response.writeHead(request.url === '/readyz' ? answer.status : 404, { 'content-type': 'application/json' });
  response.end(JSON.stringify(answer.body));
});
let port: string;
beforeAll(async () => {
  await once(server.listen(0, '127.0.0.1'), 'listening');
  port = String((server.address() as AddressInfo).port);
});
afterAll(() => void server.close());

test('health asks a service, also one that listens everywhere', async () => {
  answer = { status: 200, body: { message: 'OK' } };
  expect(await tenure(['health'], { PORT: port, HOST: '0.0.0.0' })).toEqual({ status: 0, out: 'ready\n', err: '' });
  answer = { status: 503, body: { failed: ['database', 'disk'] } };
  expect(await tenure(['health'], { PORT: port })).toEqual({
    status: 1,
    out: '',
    err: 'not ready: database, disk\n',
  });
});

test('health asks in production without a public address', async () => {
  answer = { status: 200, body: {} };
  expect(await tenure(['health'], { NODE_ENV: 'production', PORT: port })).toMatchObject({ status: 0, out: 'ready\n' });
});

test('health of a worker asks the listener of METRICS_PORT', async () => {
  answer = { status: 200, body: {} };
  expect(await tenure(['health'], { ROLE: 'worker', PORT: '1', METRICS_PORT: port })).toMatchObject({ status: 0 });
  expect(await tenure(['health'], { ROLE: 'worker', PORT: port })).toMatchObject({
    status: 1,
    err: 'not ready: a worker answers only on METRICS_PORT: set it\n',
  });
});

test('health without a service, or with a wrong setting, says why', async () => {
  expect(await tenure(['health'], { PORT: '1' })).toMatchObject({
    status: 1,
    err: expect.stringContaining('127.0.0.1'),
  });
  expect(await tenure(['health'], { PORT: 'eighty' })).toMatchObject({
    status: 1,
    err: expect.stringMatching(/^not ready: PORT: /),
  });
});
