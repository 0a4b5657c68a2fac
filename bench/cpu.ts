import { readdirSync, readFileSync } from 'node:fs';
import type { Bench } from './bench.ts';

/** Processor time of processes as the system counts it, in ticks of a hundredth of a second. */

const msPerTick = 10;

/** The fields of `/proc/<pid>/stat` after the name, which may contain spaces. */
const statOf = (pid: number | string): number[] => {
  const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
  return text
    .slice(text.lastIndexOf(')') + 4)
    .split(' ')
    .map(Number);
};

export const parentOf = (pid: number): number => statOf(pid)[0] as number;

/** Milliseconds of processor time of a process. */
export function cpuOf(pid: number): number {
  const stat = statOf(pid);
  return ((stat[10] as number) + (stat[11] as number)) * msPerTick;
}

/** Microseconds of processor time of a process's threads, by the scheduler: for a few requests, ticks are coarse. */
export const microsecondsOf = (pid: number): number =>
  readdirSync(`/proc/${pid}/task`)
    .map((thread) => Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ')[0]) / 1_000)
    .reduce((sum, each) => sum + each, 0);

/** The sum over a process and its running children. */
export function withChildren(pid: number, of: (pid: number) => number): number {
  let sum = of(pid);
  for (const name of readdirSync('/proc').filter((entry) => /^\d+$/.test(entry))) {
    try {
      if (parentOf(Number(name)) === pid) sum += of(Number(name));
    } catch {
      // a process that has ended in the meantime
    }
  }
  return sum;
}

/** Milliseconds of processor time of a process and all its children, even ended ones: PostgreSQL has many. */
export function cpuOfServer(postmaster: number): number {
  const stat = statOf(postmaster);
  return withChildren(postmaster, cpuOf) + ((stat[12] as number) + (stat[13] as number)) * msPerTick;
}

/** Starts counting; the result gives the processor time of Node and PostgreSQL since, in seconds as rows show it. */
export function countWork({ processes: { service, postgres } }: Bench): () => string {
  const [node, server] = [cpuOf(service), cpuOfServer(postgres)];
  const seconds = (ms: number) => (ms / 1_000).toFixed(1);
  return () => `${seconds(cpuOf(service) - node)} + ${seconds(cpuOfServer(postgres) - server)} s`;
}
