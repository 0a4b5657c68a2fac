import { chownSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, inject, test } from 'vitest';
import { alone, has, namedUser, printedBy, run, unprivileged } from './tools.ts';
import type { Plan, Walked } from './walk.ts';

const [scratch, tree] = [inject('scratch'), inject('tree')];
const tenure = join(tree, 'bin/tenure');
const walk = join(import.meta.dirname, 'walk.ts');
const canRun = has(
  'the release as an unprivileged user without network',
  'unshare',
  'setpriv',
  'ip',
  'tar',
  'sha256sum',
);

test.runIf(canRun)('read-only, without rights and without network it serves over a stop and a kill', () => {
  // like a release that an administrator unpacked: only root may write to it
  run('chmod', ['-R', 'a-w', tree]);
  run('chmod', ['a+rx', scratch]);
  const dataDir = join(scratch, 'data');
  mkdirSync(dataDir);
  chownSync(dataDir, namedUser, namedUser);
  const port = 8_000;
  const plan: Plan = {
    start: unprivileged(namedUser, tenure, 'start'),
    health: unprivileged(namedUser, tenure, 'health'),
    env: { PATH: '/usr/bin:/bin', DATA_DIR: dataDir, APP_URL: `http://localhost:${port}`, PORT: String(port) },
    dataDir,
    address: `http://localhost:${port}`,
  };
  const { status, output } = run(...alone(process.execPath, walk, JSON.stringify(plan)));
  expect(status, output).toBe(0);
  const walked = printedBy<Walked>({ status, output });
  console.log(`The first start took ${walked.firstStartMilliseconds} ms.`);
  expect(walked).toMatchObject({
    healthWithoutService: 1,
    statuses: { company: 201, department: 201, person: 201, picture: 200, page: 200 },
    exitCode: 0,
    keptAfterStop: true,
    keptAfterKill: true,
    firstPasswordFileGone: true,
    open: [],
  });
});

test.runIf(canRun)('a user without a name is refused by the database in one line, and can ask for the version', () => {
  const stranger = 54_321;
  const dataDir = join(scratch, 'data-of-a-stranger');
  mkdirSync(dataDir);
  chownSync(dataDir, stranger, stranger);
  const env = { PATH: '/usr/bin:/bin', DATA_DIR: dataDir, APP_URL: 'http://localhost:8000' };
  // like after `sudo -u` in root's folder
  const closed = join(scratch, 'closed');
  mkdirSync(closed, { mode: 0o700 });
  const as = (command: string) => {
    const [program = '', ...args] = unprivileged(stranger, tenure, command);
    return run(program, args, { env, cwd: closed });
  };
  expect(as('version')).toMatchObject({ status: 0, output: expect.stringMatching(/^Tenure .*PostgreSQL 18/) });
  const started = as('start');
  expect(started.status).toBe(1);
  expect(started.output).toContain('user 54321 has no line in /etc/passwd. Start as a user that has one');
});
