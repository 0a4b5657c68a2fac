import type { Logger } from 'pino';
import { changeSettings } from '../config.ts';
import type { Addresses } from '../db/open-database.ts';
import { keepRunning } from '../keep-running.ts';
import type { Sampled } from '../http/metrics.ts';
import { reasonsOf } from '../logging.ts';
import { launch, readyWithin } from './process.ts';
import type { Process } from './process.ts';

/** What processes are started with. It only changes with a reload, so that it is the same for all. */
export type Setup = {
  /** The folder of the release. */
  tree: string;
  settings: Readonly<Record<string, string>>;
  addresses: Addresses;
};

/** The place of one process: if the process ends, it is replaced. */
export type Slot = {
  name: string;
  role: 'api' | 'worker';
  /** That of the process in the slot, and of its replacement if it ends by itself. */
  setup: Setup;
  current: Process | undefined;
  /** Its predecessor, which finishes its requests during a reload. */
  former: Process | undefined;
  /** When processes ended by themselves or failed to start, in milliseconds. */
  losses: number[];
  /** Names of workers that were killed in this slot and whose jobs are not released yet. */
  lostWorkers: string[];
};

/** In milliseconds. */
export type Timing = {
  /** A process that answers no ping for this long is killed. */
  silence: number;
  /** The most time for a new process to get ready in a reload, while its predecessor serves; else unlimited. */
  ready: number;
  /** The pause before a replacement; doubled after each one. */
  pause: { least: number; most: number };
};

export const usualTiming: Timing = { silence: 30_000, ready: 120_000, pause: { least: 200, most: 5_000 } };

export type Context = {
  log: Logger;
  timing: Timing;
  environment: Readonly<Record<string, undefined>>;
  heapMegabytes: number;
  stopping: AbortSignal;
  /** A stop was requested: processes keep serving and are not ready. */
  isLeaving: () => boolean;
  /** Receives the counts of a process that has ended. */
  onCounted: (metrics: Sampled[]) => void;
};

const minute = 60_000;
const maxLosses = 5;
const pingsPerSilence = 6;
const steadyAfter = 10_000;
/** Its pool only registers the process; jobs have their own connections. */
const poolOfWorker = '2';

type Started = Process & { release: string };

/** Starts a process for a slot and waits until it is ready, at most the given milliseconds. */
async function startFor(context: Context, slot: Slot, setup: Setup, within?: number): Promise<Started> {
  const { heapMegabytes, environment, stopping } = context;
  const { tree, settings, addresses } = setup;
  const lostWorkers = [...slot.lostWorkers];
  const changes = { ROLE: slot.role, ...(slot.role === 'worker' && { DATABASE_POOL_SIZE: poolOfWorker }) };
  const one = launch({
    tree,
    heapMegabytes,
    environment,
    start: {
      name: slot.name,
      role: slot.role,
      settings: changeSettings(settings, changes),
      addresses,
      hasTerminal: false,
      isAlone: false,
      lostWorkers,
    },
  });
  const { release } = await readyWithin(one, stopping, within);
  slot.lostWorkers = slot.lostWorkers.filter((name) => !lostWorkers.includes(name));
  if (context.isLeaving()) one.send({ type: 'leave' });
  return Object.assign(one, { release });
}

/** Starts a process in an empty slot, or beside the one that it will replace. */
export async function startIn(context: Context, slot: Slot, setup: Setup, within?: number): Promise<Started> {
  const one = await startFor(context, slot, setup, within);
  context.log.info({ event: 'process_started', process: slot.name, pid: one.pid }, 'a process is ready');
  return one;
}

function recordLoss({ log, stopping }: Context, slot: Slot, facts: Record<string, unknown>) {
  if (stopping.aborted) return;
  const now = performance.now();
  slot.losses = [...slot.losses.filter((at) => now - at < minute), now];
  log.error(
    { event: 'process_lost', process: slot.name, ...facts },
    'a process ended or did not start: it is replaced',
  );
}

async function fill(context: Context, slot: Slot) {
  try {
    const one = await startFor(context, slot, slot.setup);
    // a reload was faster
    if (slot.current) return await one.stop(0);
    slot.current = one;
    context.log.info(
      { event: 'process_replaced', process: slot.name, pid: one.pid },
      'another process is ready in place of the one that ended',
    );
  } catch (error) {
    recordLoss(context, slot, { reason: reasonsOf(error as Error).join(': ') });
  }
}

/** Resolves once the slot has no process any more. */
async function untilLost(context: Context, slot: Slot) {
  while (slot.current) {
    const one = slot.current;
    const { code, signal } = await one.ended;
    // replaced by a reload
    if (slot.current !== one) continue;
    slot.current = undefined;
    slot.lostWorkers.push(...one.workers);
    context.onCounted(one.counted);
    const reason =
      one.unanswered >= pingsPerSilence ? 'it did not answer its supervisor' : (signal ?? `exit code ${code}`);
    recordLoss(context, slot, { pid: one.pid, reason });
  }
}

/** Keeps a process in the slot until the service stops. */
export const keep = (context: Context, slot: Slot): Promise<void> =>
  keepRunning(
    async () => {
      if (!slot.current) await fill(context, slot);
      await untilLost(context, slot);
    },
    { pause: context.timing.pause, steadyAfter, signal: context.stopping },
  );

/** All web processes ended by themselves five times within a minute. */
export function isFailing(slots: readonly Slot[]): boolean {
  const now = performance.now();
  const web = slots.filter(({ role }) => role === 'api');
  return web.every(({ losses }) => losses.filter((at) => now - at < minute).length >= maxLosses);
}

/**
 * Kills processes that do not answer for the given time. Counts pings instead of milliseconds, because the supervisor
 * itself may have been paused.
 */
export function watchSilence(slots: readonly Slot[], { silence }: Timing): { stop: () => void } {
  const timer = setInterval(() => {
    for (const { current } of slots) {
      if (!current) continue;
      if (current.unanswered >= pingsPerSilence) current.kill();
      else {
        current.unanswered += 1;
        current.send({ type: 'ping' });
      }
    }
  }, silence / pingsPerSilence);
  return { stop: () => clearInterval(timer) };
}
