/** How one machine is shared out among the processes of a service. */

const megabyte = 1_024 * 1_024;
const mostAuto = 32;
/** What a web process takes: 100 MB of its own and as much for its work. */
const ofWebProcess = 200 * megabyte;

const clamp = (value: number, least: number, most: number) => Math.min(Math.max(value, least), most);

type Machine = {
  processors: number;
  /** Bytes. */
  memory: number;
  /** Whether PostgreSQL runs on it too. */
  hasDatabase: boolean;
};

/** Bytes that are left to PostgreSQL: a quarter, because it is set up with an eighth for its buffers and more for its work. */
const ofDatabase = ({ memory, hasDatabase }: Machine) => (hasDatabase ? memory / 4 : 0);

/** The number of web processes for WEB_CONCURRENCY=auto, 1 to 32. PostgreSQL needs processors of its own. */
export function autoProcesses(machine: Machine): number {
  if (machine.hasDatabase && machine.processors < 4) return 1;
  const fitting = Math.floor((machine.memory - ofDatabase(machine)) / ofWebProcess);
  return clamp(Math.min(machine.processors, fitting), 1, mostAuto);
}

/** Megabytes of old space for each of so many processes, 256 to 1,024: half of the memory in all. */
export const heapMegabytes = (memory: number, processes: number): number =>
  Math.floor(clamp((0.5 * memory) / processes / megabyte, 256, 1_024));

/** Connections for requests of each of so many processes, 4 to 10: some 40 in all are enough for one database. */
export const poolSize = (processes: number): number => Math.floor(clamp(40 / processes, 4, 10));

/**
 * Connections of the embedded database, at least 100. Beside its pool a process listens and watches. During a reload
 * there is one more, and a second one for jobs: 50 are for jobs, backups, and what PostgreSQL reserves.
 */
export const maxConnections = (processes: number, pool: number): number =>
  Math.max(100, (processes + 1) * (pool + 2) + 50);
