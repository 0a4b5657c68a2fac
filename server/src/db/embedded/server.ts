import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Account } from './account.ts';
import type { Binaries } from './binaries.ts';
import { readPidFile } from './processes.ts';

export type StopMode = 'fast' | 'immediate';

export interface ServerPlan {
  cluster: string;
  binaries: Binaries;
  account: Account | undefined;
  settings: Record<string, string | number>;
  onLog: (line: string) => void;
  /** What a guard does when this process dies without stopping its server: stop it, or also remove the folder. */
  whenOrphaned: 'stop' | { remove: string };
  signal?: AbortSignal;
}

export interface Server {
  pid: number;
  /** Resolves with a reason when the process has ended for any cause. */
  exited: Promise<string>;
  stop(mode?: StopMode): Promise<void>;
}

/**
 * As root, the child starts inside the cluster folder and uses this name for it, because a parent folder (such as
 * /root) may bar its user from the full path.
 */
export function folderArgument(cluster: string, account: Account | undefined): string {
  return account && process.platform === 'linux' ? '/proc/self/cwd' : cluster;
}

/** Starts PostgreSQL in its own process group and resolves when it accepts connections. */
export async function startServer(plan: ServerPlan): Promise<Server> {
  const stale = await readPidFile(plan.cluster);
  const child = spawnServer(plan, stale?.pid);
  const exited = exitOf(child);
  const lastLines = collectLog(child, plan.onLog);
  const guard = startGuard(child, plan);
  void exited.then(() => guard?.kill('SIGKILL'));
  const stop = async (mode: StopMode = 'fast'): Promise<void> => {
    child.kill(mode === 'fast' ? 'SIGINT' : 'SIGQUIT');
    await exited;
  };
  const abort = (): void => void stop();
  plan.signal?.addEventListener('abort', abort, { once: true });
  void exited.then(() => plan.signal?.removeEventListener('abort', abort));
  const failure = await Promise.race([exited, untilReady(plan.cluster, child, stale)]);
  if (failure !== undefined) throw new Error(`PostgreSQL did not start (${failure}). ${lastLines.join(' ')}`.trim());
  return { pid: child.pid ?? 0, exited, stop };
}

function spawnServer({ cluster, binaries, account, settings }: ServerPlan, stalePid: number | undefined): ChildProcess {
  // After a crash another process may have the id in postmaster.pid, most likely in a container. PostgreSQL ignores
  // that id if it is its grandparent's; its check of shared memory still applies.
  const grandparent = stalePid === undefined ? {} : { PG_GRANDPARENT_PID: String(stalePid) };
  const args = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  return spawn(binaries.postgres, ['-D', folderArgument(cluster, account), ...args], {
    cwd: cluster,
    env: { LC_ALL: 'C', TZ: 'UTC', ...grandparent },
    stdio: ['ignore', 'ignore', 'pipe'],
    detached: true,
    ...account,
  });
}

function exitOf(child: ChildProcess): Promise<string> {
  return new Promise((done) => {
    child.once('error', (error) => done(error.message));
    child.once('exit', (code, signal) => done(signal ?? `exit code ${code}`));
  });
}

function collectLog(child: ChildProcess, onLog: (line: string) => void): string[] {
  const last: string[] = [];
  if (!child.stderr) return last;
  createInterface({ input: child.stderr }).on('line', (line) => {
    last.push(line);
    if (last.length > 8) last.shift();
    onLog(line);
  });
  return last;
}

type Stale = Awaited<ReturnType<typeof readPidFile>>;

/**
 * Waits until a server accepts connections. Ignores the file that a killed server left: in a container that was killed,
 * the next server often has the same process id.
 */
export async function untilReady(
  cluster: string,
  child: Pick<ChildProcess, 'pid' | 'exitCode' | 'signalCode'>,
  stale: Stale,
): Promise<undefined> {
  while (child.exitCode === null && child.signalCode === null) {
    const file = await readPidFile(cluster);
    if (file?.ready && file.pid === child.pid && file.written !== stale?.written) return undefined;
    await sleep(15);
  }
  return new Promise(() => {});
}

const STOP_SCRIPT = 'read -r line; kill -INT "$1"';
const REMOVE_SCRIPT = `read -r line; kill -QUIT "$1"; n=0
while [ -e "$2"/*/postmaster.pid ] && [ $n -lt 100 ]; do sleep 0.05; n=$((n+1)); done; rm -rf "$2"`;

/**
 * A shell that waits for the end of a pipe that only this process holds: after a kill -9 of the service it stops
 * PostgreSQL with a fast shutdown, so that no server is left running.
 */
function startGuard(server: ChildProcess, { account, whenOrphaned }: ServerPlan): ChildProcess | undefined {
  if (server.pid === undefined) return undefined;
  const [script, ...rest] = whenOrphaned === 'stop' ? [STOP_SCRIPT] : [REMOVE_SCRIPT, whenOrphaned.remove];
  const guard = spawn('/bin/sh', ['-c', script ?? '', 'tenure-guard', String(server.pid), ...rest], {
    cwd: '/',
    env: { PATH: '/usr/bin:/bin' },
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
    ...account,
  });
  // without a shell, the next start finds the database by its pid file
  guard.on('error', () => {});
  guard.unref();
  return guard;
}
