import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import pg from 'pg';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { freePort } from '../testing/free-port.ts';
import { programOf } from '../testing/program.ts';
import { ownerUrlOf, startProcess } from '../testing/service-process.ts';
import type { ServiceProcess } from '../testing/service-process.ts';

/** The commands as people run them, on the embedded database of a service that is killed and started. */

const long = 240_000;
let dataDir: string;
let archive: string;
let service: ServiceProcess;
let root: string;

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'tenure-embedded-'));
  [dataDir, archive] = [join(root, 'data'), join(root, 'archive')];
  service = await startProcess({ dataDir, port: await freePort() });
}, long);

afterAll(async () => {
  await service.stop();
  await rm(root, { recursive: true, force: true });
});

function start(script: 'backup' | 'restore', args: string[], dir = dataDir) {
  return spawn(process.execPath, programOf(script, args), {
    env: { PATH: process.env.PATH, HOME: process.env.HOME, DATA_DIR: dir, BACKUP_URL: archive },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

async function run(...of: Parameters<typeof start>) {
  const child = start(...of);
  const closed = new Promise<number | null>((done) => child.once('close', done));
  const [out, err] = await Promise.all([text(child.stdout), text(child.stderr)]);
  return { code: await closed, out, err };
}

async function query(statement: string) {
  const client = new pg.Client({ connectionString: await ownerUrlOf(dataDir) });
  await client.connect();
  const { rows } = await client.query<Record<string, unknown>>(statement);
  await client.end();
  return rows;
}

const oneLine = /^[^\n]+\n$/;

test(
  'beside the running service: backup, list, verification and drill; a restore is refused',
  async () => {
    await query("update users set locale = 'de'");
    expect(await run('backup', [])).toMatchObject({ code: 0, err: '' });
    await query("update users set locale = 'fr'");
    const listed = await run('backup', ['--list']);
    expect(listed.out).toMatch(/^\d{8}T\d{6}Z-[0-9a-f]{6} {2}\d{4}-.* not encrypted\n$/);
    expect(await run('backup', ['--verify'])).toMatchObject({ code: 0, err: '' });
    const drill = await run('restore', ['--check']);
    expect(drill).toMatchObject({ code: 0, err: '' });
    expect(drill.out).toContain('The backup can be restored: all rows and files are there.');
    expect(drill.out).toMatch(/^Indexes checked by amcheck: \d{3}$/m);
    expect(await readdir(dataDir)).not.toContain('restore-check');
    expect(await query('select kind, status from backups order by id')).toEqual([
      { kind: 'backup', status: 'done' },
      { kind: 'verification', status: 'done' },
      { kind: 'drill', status: 'done' },
    ]);
    const refused = await run('restore', ['--replace', '--yes']);
    expect(refused).toMatchObject({ code: 1, out: '', err: expect.stringMatching(oneLine) });
    expect(refused.err).toContain(`is in use by another Tenure service (process ${service.child.pid})`);
  },
  long,
);

test.each([
  [['--nonsense'], 'Unknown option'],
  [['--mail', 'maybe'], '--mail must be hold or send.'],
  [['--from'], "Option '--from' argument is ambiguous. See --help."],
  [['--from', '/nowhere/at/all'], '/nowhere/at/all contains no backups of Tenure: check the path'],
  [['--backup', 'yesterday'], 'There is no backup yesterday'],
  [['--identity', '/nowhere'], '/nowhere does not exist'],
])(
  'restore %j is refused in one line',
  async (args, line) => {
    const { code, err } = await run('restore', [...args, '--yes']);
    expect([code, err]).toEqual([1, expect.stringMatching(oneLine)]);
    expect(err).toContain(line);
  },
  long,
);

test(
  'in the place of the stopped one: asked for, killed without harm, and kept',
  async () => {
    await service.stop();
    const before = (await readdir(dataDir)).sort();
    const refused = await run('restore', ['--yes']);
    expect(refused).toMatchObject({ code: 1, err: expect.stringMatching(oneLine) });
    expect(refused.err).toContain('contains a database: add --replace to keep it');
    const unasked = await run('restore', ['--replace']);
    expect(unasked).toMatchObject({ code: 1, err: expect.stringContaining('add --yes to continue without it') });
    expect(unasked.out).toContain('keep the database that is in');
    expect((await readdir(dataDir)).sort()).toEqual(before);

    const killed = start('restore', ['--replace', '--yes']);
    await vi.waitUntil(() => existsSync(join(dataDir, 'restore', 'postgres', 'postmaster.pid')), { timeout: 120_000 });
    killed.kill('SIGKILL');
    service = await startProcess({ dataDir, port: await freePort() });
    expect(await query('select distinct locale from users')).toEqual([{ locale: 'fr' }]);
    await service.stop();

    expect(await run('restore', ['--replace', '--yes'])).toMatchObject({ code: 0, err: '' });
    const after = await readdir(dataDir);
    expect(after).not.toContain('restore');
    expect(after.filter((name) => /^(postgres|files)\.before-\d{8}T\d{6}Z$/.test(name))).toHaveLength(2);
    service = await startProcess({ dataDir, port: await freePort() });
    expect(await query('select distinct locale from users')).toEqual([{ locale: 'de' }]);
    expect(await query('select global_epoch from installation')).toEqual([{ global_epoch: 2 }]);
  },
  long,
);
