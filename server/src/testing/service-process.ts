import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { clusterFolder } from '../db/data-dir.ts';
import { addressesOfRunning } from '../db/embedded.ts';
import { readPidFile, serversOf, signal } from '../db/embedded/processes.ts';
import type { MemoryGroup } from './memory-group.ts';

const root = join(import.meta.dirname, '..', '..', '..');

/** The first administrator of every installation that a test starts. */
export const admin = { email: 'admin@acme.example', password: 'Willow!Harbor42' };

export type Installation = {
  dataDir: string;
  port: number;
  settings?: Record<string, string>;
  /** The folder of another release. */
  tree?: string;
  /** The program to start in it, by default the service. */
  program?: string;
  /** A memory limit shared by the service and everything that it starts. */
  group?: MemoryGroup | undefined;
};

/** What a kill takes down: the service; also the shell that would stop its database; also the database. */
export type Killed = 'service' | 'service and guard' | 'everything';

export type ServiceProcess = {
  child: ChildProcess;
  address: string;
  /** Everything that it printed, line by line. */
  lines: string[];
  /** The events of its log with this name that were read so far; a line may arrive after the answer to a request. */
  events: (name: string) => Record<string, unknown>[];
  /** The same, once this many were read, or after ten seconds. */
  logged: (name: string, count?: number) => Promise<Record<string, unknown>[]>;
  /** Resolves with the exit code, or null after a kill. */
  ended: Promise<number | null>;
  stop: (name?: NodeJS.Signals) => Promise<number | null>;
  kill: (what?: Killed) => Promise<void>;
  /** The id of the database's first process. */
  databasePid: () => Promise<number>;
};

/** Shells that stop the database of a killed service. */
async function killGuardsOf(server: number): Promise<void> {
  for (const name of await readdir('/proc')) {
    const command = await readFile(`/proc/${name}/cmdline`, 'utf8').catch(() => '');
    if (command.includes(`tenure-guard\0${server}\0`)) signal(Number(name), 'SIGKILL');
  }
}

const parsed = (line: string) => (line.startsWith('{') ? (JSON.parse(line) as Record<string, unknown>) : {});

/** Starts `npm start` without npm, in its own process group; it need not become ready. */
export function spawnService({
  dataDir,
  port,
  settings = {},
  tree = root,
  program = 'server/src/main.ts',
  group,
}: Installation): ServiceProcess {
  const own = ['--import', './scripts/compile-cache.mjs', program];
  const [command, args] = group ? group.within(process.execPath, own) : [process.execPath, own];
  const child = spawn(command, args, {
    cwd: tree,
    env: {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      DATA_DIR: dataDir,
      PORT: String(port),
      ADMIN_EMAIL: admin.email,
      ADMIN_PASSWORD: admin.password,
      BCRYPT_COST: '10',
      RATE_LIMIT_PER_MINUTE: '1000000',
      ...settings,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  const lines: string[] = [];
  for (const stream of [child.stdout, child.stderr])
    createInterface({ input: stream }).on('line', (line) => lines.push(line));
  const ended = once(child, 'close').then(([code]) => code as number | null);
  const events = (name: string) => lines.map(parsed).filter(({ event }) => event === name);
  const logged = async (name: string, count = 1) => {
    for (let tries = 0; tries < 1_000 && events(name).length < count; tries += 1) await sleep(10);
    return events(name);
  };
  const databasePid = async () => (await readPidFile(clusterFolder(dataDir)))?.pid ?? 0;
  const end = async (name: NodeJS.Signals) => {
    if (child.pid && child.exitCode === null && child.signalCode === null) signal(-child.pid, name);
    return ended;
  };
  return {
    child,
    address: `http://localhost:${port}`,
    lines,
    events,
    logged,
    ended,
    databasePid,
    stop: (name = 'SIGTERM') => end(name),
    kill: async (what = 'everything') => {
      if (what !== 'service') await killGuardsOf(await databasePid());
      if (what !== 'everything') return void (await end('SIGKILL'));
      const database = await serversOf(clusterFolder(dataDir));
      const gone = end('SIGKILL');
      for (const pid of database) signal(pid, 'SIGKILL');
      await gone;
    },
  };
}

/** Waits until a service is ready. */
export async function untilReady(service: ServiceProcess): Promise<ServiceProcess> {
  const isReady = () => service.lines.some((line) => line.includes('Tenure is ready'));
  const isOver = service.ended.then(() => true);
  while (!isReady() && !(await Promise.race([isOver, sleep(10, false)])));
  if (!isReady()) throw new Error(`The service did not start:\n${service.lines.join('\n')}`);
  return service;
}

/** Starts the service and waits until it is ready. */
export const startProcess = (installation: Installation): Promise<ServiceProcess> =>
  untilReady(spawnService(installation));

/** The process ids of a supervisor, by name, from its log. */
export function pidsOf({ lines }: Pick<ServiceProcess, 'lines'>): Record<string, number> {
  const pids: Record<string, number> = {};
  for (const { event, process: name, pid } of lines.map(parsed))
    if (event === 'process_started' || event === 'process_replaced') pids[String(name)] = Number(pid);
  return pids;
}

/** For each process of this name that ended: how many seconds passed until another one served in its place. */
export function secondsMissing({ lines }: Pick<ServiceProcess, 'lines'>, name: string): number[] {
  const missing: number[] = [];
  let lostAt: number | undefined;
  for (const { event, process: one, time } of lines.map(parsed)) {
    if (one !== name) continue;
    const at = Date.parse(String(time));
    if (event === 'process_lost') lostAt ??= at;
    if (event !== 'process_replaced' || lostAt === undefined) continue;
    missing.push((at - lostAt) / 1_000);
    lostAt = undefined;
  }
  return missing;
}

/**
 * How many seconds this machine currently takes to load the service, at least one, which is what an idle machine takes.
 * This is most of the time until a process is replaced.
 */
export async function secondsToLoad(): Promise<number> {
  const started = performance.now();
  const args = ['--import', './scripts/compile-cache.mjs', '--eval', "await import('./server/src/service.ts')"];
  const child = spawn(process.execPath, ['--input-type=module', ...args], { cwd: root, stdio: 'ignore' });
  await once(child, 'close');
  return Math.max((performance.now() - started) / 1_000, 1);
}

/** The address of the installation's running database, for its owner. */
export async function ownerUrlOf(dataDir: string): Promise<string> {
  const urls = await addressesOfRunning(dataDir);
  if (!urls) throw new Error('The database does not run');
  return urls.ownerUrl;
}
