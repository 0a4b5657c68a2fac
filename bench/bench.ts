import type { ChildProcess } from 'node:child_process';
import type { Session } from './browser.ts';

/** Requests a second, and the microseconds of processor time that a request takes in Node and in PostgreSQL. */
export type Turn = { perSecond: number; node: number; postgres: number };

/** The medians of several turns, and the turns. */
export type Rate = Turn & { turns: readonly Turn[] };

/** What the rows are measured with. */
export type Bench = {
  base: string;
  /** The minimal handlers, and the headers of their session. */
  minimal: { base: string; headers: Record<string, string> };
  /** Process ids; that of PostgreSQL is its first process. */
  processes: { service: number; minimal: number; postgres: number };
  folder: string;
  /** The address of the database, with the rights of the service. */
  database: string;
  admin: Session;
  manager: Session;
  /** Addresses of people who may sign in with `password`. */
  people: string[];
  password: string;
  ids: { entity: number; department: number };
  employees: number;
  seconds: number;
  /** For which rates that are compared are asked in turn. */
  secondsInTurn: number;
  times: number;
  memory: () => number;
  /** The certificate of servers that the service reaches at 127.0.0.1. */
  tls: { key: string; cert: string };
  /** A bound for up to 100,000 people, and the one for a million. */
  bySize: (usual: number, million: number) => number;
  /** Starts another service on the same database and files, with settings of its own. */
  startService: (settings: Record<string, string>) => Promise<ChildProcess>;
};
