import { execFile } from 'node:child_process';
import { readdir, readFile, readlink, realpath, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';

const run = promisify(execFile);
const POLL_MS = 20;

interface PidFile {
  pid: number;
  port: number;
  ready: boolean;
  /** When the file was last written, in nanoseconds; differs for a later server, even with the same process id. */
  written: bigint;
}

/** What PostgreSQL writes into the first, fourth and eighth line of postmaster.pid. */
export async function readPidFile(cluster: string): Promise<PidFile | undefined> {
  const path = join(cluster, 'postmaster.pid');
  // read the time first: with the time of a later file, an old text would look new
  const { ctimeNs: written } = await stat(path, { bigint: true }).catch(() => ({ ctimeNs: 0n }));
  const text = await readFile(path, 'utf8').catch(() => '');
  const lines = text.split('\n');
  const pid = Number(lines[0]);
  return pid > 0 ? { pid, port: Number(lines[3]), ready: lines[7]?.trim() === 'ready', written } : undefined;
}

/**
 * Stops a database that outlived its service: fast shutdown, then waits until it and its children are gone. Keeps
 * postmaster.pid, PostgreSQL's own protection against two servers on one folder.
 */
export async function stopStray(cluster: string): Promise<number | undefined> {
  const file = await readPidFile(cluster);
  const stray = file && (await isServerOf(cluster, file.pid)) ? file.pid : undefined;
  if (stray !== undefined) {
    signal(stray, 'SIGINT');
    while (await isServerOf(cluster, stray)) await sleep(POLL_MS);
  }
  await endOrphans(cluster);
  return stray;
}

/** Backends whose postmaster was killed exit by themselves; any that do not would block the next start. */
export async function endOrphans(cluster: string, patienceMs = 2000): Promise<void> {
  const deadline = Date.now() + patienceMs;
  for (let left = await serversOf(cluster); left.length > 0; left = await serversOf(cluster)) {
    if (Date.now() > deadline) for (const pid of left) signal(pid, 'SIGQUIT');
    await sleep(POLL_MS);
  }
}

/** The processes of a database, including those whose postmaster is gone; empty on systems without /proc. */
export async function serversOf(cluster: string): Promise<number[]> {
  if (process.platform !== 'linux') return [];
  const pids = (await readdir('/proc')).map(Number).filter((pid) => pid > 0);
  const matches = await Promise.all(pids.map((pid) => isServerOf(cluster, pid)));
  return pids.filter((_, index) => matches[index]);
}

/** True if the process is a PostgreSQL server of this cluster, and not a later process with the same id. */
export async function isServerOf(cluster: string, pid: number): Promise<boolean> {
  const { program, folder } = await (process.platform === 'linux' ? describe(pid) : describeByLsof(pid));
  // a program replaced by an update reads "postgres (deleted)"
  return /^(postgres|initdb)/.test(basename(program)) && folder === (await realpath(cluster).catch(() => cluster));
}

interface Description {
  program: string;
  folder: string;
}

async function describe(pid: number): Promise<Description> {
  const read = (name: string): Promise<string> => readlink(`/proc/${pid}/${name}`).catch(() => '');
  return { program: await read('exe'), folder: await read('cwd') };
}

async function describeByLsof(pid: number): Promise<Description> {
  const { stdout } = await run('lsof', ['-a', '-p', String(pid), '-d', 'cwd', '-Fcn']).catch(() => ({ stdout: '' }));
  const field = (letter: string): string => new RegExp(`^${letter}(.*)$`, 'm').exec(stdout)?.[1] ?? '';
  return { program: field('c'), folder: field('n') };
}

export function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
