import { spawn, spawnSync } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { firstVisit, isKept } from './visit.ts';
import type { Visit } from './visit.ts';

/**
 * What an installation's first user does, across an orderly stop and a kill. A separate program, because the service
 * that it starts is in its own network: `node walk.ts '<plan as JSON>'` prints a JSON result.
 */

export type Plan = {
  /** Starts the service in the foreground. */
  start: string[];
  env: Record<string, string>;
  /** A command with exit code 0 when the service is ready. */
  health: string[];
  /** A command that sends the signal appended to it; without it, the process of `start` gets the signal. */
  signal?: string[];
  /** The path of DATA_DIR from here. */
  dataDir: string;
  address: string;
};

export type Walked = {
  /** The result of `health` before the first start. */
  healthWithoutService: number | null;
  firstStartMilliseconds: number;
  statuses: Visit['statuses'];
  exitCode: number | null;
  /** Whether the company and the picture exist after the stop, and after the kill. */
  keptAfterStop: boolean;
  keptAfterKill: boolean;
  firstPasswordFileGone: boolean;
  /** Files and folders in DATA_DIR that others than their owner can read. */
  open: string[];
};

const plan = JSON.parse(process.argv[2] ?? '{}') as Plan;
const output: string[] = [];
const maxMilliseconds = 120_000;

const run = ([program = '', ...args]: string[]) => spawnSync(program, args, { env: plan.env, encoding: 'utf8' });
const isReady = () => run(plan.health).status === 0;

async function start(): Promise<ChildProcess> {
  const [program = '', ...args] = plan.start;
  const child = spawn(program, args, { env: plan.env, stdio: ['ignore', 'pipe', 'pipe'] });
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => void output.push(text));
  const deadline = performance.now() + maxMilliseconds;
  while (!isReady()) {
    if (child.exitCode !== null || performance.now() > deadline) throw new Error('The service did not get ready.');
    await sleep(200);
  }
  return child;
}

async function end(child: ChildProcess, name: 'SIGTERM' | 'SIGKILL'): Promise<number | null> {
  const closed = once(child, 'close') as Promise<[number | null]>;
  if (plan.signal) run([...plan.signal, name]);
  else child.kill(name);
  return (await closed)[0];
}

/** Only what the service itself creates: the modes inside the database's folder are PostgreSQL's. */
const openTo = (folder: string): string[] =>
  [folder, ...readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name))].filter(
    (path) => (statSync(path, { throwIfNoEntry: false })?.mode ?? 0) & 0o077,
  );

async function walk(): Promise<Walked> {
  const { address, dataDir } = plan;
  const healthWithoutService = run(plan.health).status;
  const begun = performance.now();
  let child = await start();
  const firstStartMilliseconds = Math.round(performance.now() - begun);
  const visit = await firstVisit(address, dataDir);
  const firstPasswordFileGone = !readdirSync(dataDir).includes('first-admin');
  const exitCode = await end(child, 'SIGTERM');
  child = await start();
  const keptAfterStop = await isKept(address, visit);
  await end(child, 'SIGKILL');
  child = await start();
  const keptAfterKill = await isKept(address, visit);
  const open = openTo(dataDir);
  await end(child, 'SIGTERM');
  return {
    healthWithoutService,
    firstStartMilliseconds,
    statuses: visit.statuses,
    exitCode,
    keptAfterStop,
    keptAfterKill,
    firstPasswordFileGone,
    open,
  };
}

try {
  console.log(JSON.stringify(await walk()));
  process.exit(0);
} catch (error) {
  console.error(`${(error as Error).stack}\n${output.join('').split('\n').slice(-40).join('\n')}`);
  process.exit(1);
}
