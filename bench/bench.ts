import type { ChildProcess } from 'node:child_process';
import type { Session } from './browser.ts';

/** Requests per second, and the processor time of a request in Node and in PostgreSQL, in microseconds. */
export type Turn = { perSecond: number; node: number; postgres: number };

/** The medians of several turns, and the turns. */
export type Rate = Turn & { turns: readonly Turn[] };

/** What rows need for measuring. */
export type Bench = {
  base: string;
  /** The baseline handlers, and the headers of their session. */
  minimal: { base: string; headers: Record<string, string> };
  /** Process ids; PostgreSQL's is its first process. */
  processes: { service: number; minimal: number; postgres: number };
  folder: string;
  /** The address of the database, with the service's rights. */
  database: string;
  admin: Session;
  manager: Session;
  /** Addresses of people who may sign in with `password`. */
  people: string[];
  password: string;
  ids: { entity: number; department: number };
  employees: number;
  seconds: number;
  /** How many seconds to send requests in turn, for rates that are compared. */
  secondsInTurn: number;
  times: number;
  memory: () => number;
  /** The certificate of servers at 127.0.0.1 that the service contacts. */
  tls: { key: string; cert: string };
  /** The bound for up to 100,000 people, or the one for a million. */
  bySize: (usual: number, million: number) => number;
  /** Starts another service on the same database and files, with its own settings. */
  startService: (settings: Record<string, string>) => Promise<ChildProcess>;
};
