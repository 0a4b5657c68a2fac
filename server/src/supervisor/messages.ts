import type { Addresses } from '../db/open-database.ts';
import type { FirstAdmin } from '../features/sessions/first-admin.ts';
import type { Health } from '../http/health.ts';
import type { Sampled } from '../http/metrics.ts';

/**
 * Messages between the supervisor and its processes. After a reload they may be of different releases: a change that
 * the other side does not understand needs another number.
 */
export const protocol = 1;

/** `prepare` brings the database to its release and exits. */
export type Role = 'api' | 'worker' | 'prepare';

export type Start = {
  type: 'start';
  /** The name of the process in logs and metrics. */
  name: string;
  role: Role;
  settings: Record<string, string>;
  addresses: Addresses;
  /** A person reads the output. */
  hasTerminal: boolean;
  /** No process of the database is alive. */
  isAlone: boolean;
  /** Killed workers, whose jobs the process releases. */
  lostWorkers: string[];
};

export type Questions = { health: Health; metrics: Sampled[]; figures: Sampled[] };

export type Order =
  | Start
  | { type: 'ping' }
  | { type: 'ask'; id: number; what: keyof Questions }
  | { type: 'leave' }
  | { type: 'stop'; idleMilliseconds: number };

export type Report =
  | { type: 'hello'; protocol: number }
  | { type: 'ready'; release: string; firstAdmin?: FirstAdmin | undefined }
  | { type: 'refused'; reasons: string[] }
  | { type: 'pong' }
  | { type: 'worker'; name: string }
  | { type: 'answer'; id: number; value: unknown }
  /** The last message of a process that stops in order. */
  | { type: 'counted'; metrics: Sampled[] };
