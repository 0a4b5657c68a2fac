/** How the processes of a service share one machine. */

const megabyte = 1_024 * 1_024;
const maxAuto = 32;
/** The memory of a web process: 100 MB, and as much again for its work. */
const ofWebProcess = 200 * megabyte;

const clamp = (value: number, least: number, most: number) => Math.min(Math.max(value, least), most);

type Machine = {
  processors: number;
  /** In bytes. */
  memory: number;
  /** Whether PostgreSQL also runs on it. */
  hasDatabase: boolean;
};

/** Bytes left to PostgreSQL: a quarter, because it gets an eighth for buffers, and needs more for its work. */
const ofDatabase = ({ memory, hasDatabase }: Machine) => (hasDatabase ? memory / 4 : 0);

/** The number of web processes for WEB_CONCURRENCY=auto, 1 to 32. PostgreSQL needs processors of its own. */
export function autoProcesses(machine: Machine): number {
  if (machine.hasDatabase && machine.processors < 4) return 1;
  const fitting = Math.floor((machine.memory - ofDatabase(machine)) / ofWebProcess);
  return clamp(Math.min(machine.processors, fitting), 1, maxAuto);
}

/** Megabytes of old space for each of this many processes, 256 to 1,024: half of the memory in total. */
export const heapMegabytes = (memory: number, processes: number): number =>
  Math.floor(clamp((0.5 * memory) / processes / megabyte, 256, 1_024));

/** Connections per process for requests, 4 to 10: about 40 in total are enough for one database. */
export const poolSize = (processes: number): number => Math.floor(clamp(40 / processes, 4, 10));

/**
 * Connections of the embedded database, at least 100. Besides its pool, a process listens and watches. During a reload
 * there is one more process, and a second one for jobs: 50 are for jobs, backups, and what PostgreSQL reserves.
 */
export const maxConnections = (processes: number, pool: number): number =>
  Math.max(100, (processes + 1) * (pool + 2) + 50);
