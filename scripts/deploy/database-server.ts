import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { appendFileSync, chownSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { succeed } from './container.ts';
import { inside } from './network.ts';
import type { Machine } from './network.ts';
import { namedUser, run, unprivileged } from './tools.ts';

/** Starts a release's PostgreSQL like the image `postgres` in a compose file. */

export type DatabasePlan = {
  machine: Machine;
  /** A new folder for data and socket. */
  folder: string;
  /** The folder of the programs. */
  programs: string;
  /** `POSTGRES_INITDB_ARGS`. */
  initdbArgs: string;
  /** The file with the superuser's password. */
  passwordFile: string;
  /** What the image runs once, after the server's first start. */
  initScript: string;
};

export async function startDatabase(plan: DatabasePlan): Promise<ChildProcess> {
  const { machine, folder, programs, initdbArgs, passwordFile, initScript } = plan;
  const data = join(folder, 'data');
  mkdirSync(folder);
  chownSync(folder, namedUser, namedUser);
  const as = (...command: string[]) => unprivileged(namedUser, ...command);
  const [initdb = '', ...args] = as(join(programs, 'initdb'), '--pgdata', data, '--username=postgres');
  const password = join(folder, 'password');
  writeFileSync(password, readFileSync(passwordFile));
  chownSync(password, namedUser, namedUser);
  const access = ['--auth-local=trust', '--auth-host=scram-sha-256', `--pwfile=${password}`];
  succeed(initdb, [...args, ...access, ...initdbArgs.split(' ')], { env: { PATH: '/usr/bin:/bin', LC_ALL: 'C' } });
  appendFileSync(join(data, 'pg_hba.conf'), 'host all all all scram-sha-256\n');
  const options = ['listen_addresses=*', `unix_socket_directories=${folder}`].flatMap((value) => ['-c', value]);
  const [program = '', ...rest] = inside(machine, ...as(join(programs, 'postgres'), '-D', data, ...options));
  const child = spawn(program, rest, {
    env: { PATH: '/usr/bin:/bin', LC_ALL: 'C' },
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  // the script finds the server like inside the image
  const env = { PATH: '/usr/bin:/bin', PGHOST: folder, PGUSER: 'postgres' };
  while (run('psql', ['-c', 'select 1'], { env }).status !== 0) {
    if (child.exitCode !== null) throw new Error('PostgreSQL did not start.');
    await sleep(200);
  }
  succeed('sh', [initScript], { env });
  return child;
}
