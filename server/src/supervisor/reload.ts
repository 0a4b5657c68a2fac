import { realpath } from 'node:fs/promises';
import type { FirstAdmin } from '../features/sessions/first-admin.ts';
import { reasonsOf } from '../logging.ts';
import { launch, readyWithin } from './process.ts';
import { startIn } from './slots.ts';
import type { Context, Setup, Slot } from './slots.ts';

/** After its listener has closed, a connection that was accepted a moment ago may still bring its request. */
const idleMilliseconds = 1_000;

type Preparing = { setup: Setup; hasTerminal: boolean; isAlone: boolean };

/** Brings the database to a release, in a process that ends then. */
export async function prepareIn(
  { environment, heapMegabytes, stopping }: Context,
  { setup: { tree, settings, addresses }, hasTerminal, isAlone }: Preparing,
): Promise<FirstAdmin | undefined> {
  const start = {
    name: 'prepare',
    role: 'prepare',
    settings,
    addresses,
    hasTerminal,
    isAlone,
    lostWorkers: [],
  } as const;
  const one = launch({ tree, heapMegabytes, environment, start: { ...start, lostWorkers: [] } });
  // a migration takes as long as it takes
  const { firstAdmin } = await readyWithin(one, stopping);
  await one.stop(0);
  return firstAdmin;
}

/** Starts a process and then stops the one before it. */
async function replace(context: Context, slot: Slot, setup: Setup): Promise<string> {
  const next = await startIn(context, slot, setup, context.timing.ready);
  const former = slot.current;
  slot.current = next;
  slot.setup = setup;
  if (former) {
    slot.former = former;
    await former.stop(idleMilliseconds);
    slot.former = undefined;
    context.onCounted(former.counted);
  }
  return next.release;
}

/** What a reload reads anew, once for all processes. */
export type Renewed = {
  /** Leads to the release. */
  home: string;
  /** @throws {BadSetting} */
  settings: () => Promise<Omit<Setup, 'tree'>>;
};

/**
 * Replaces all processes by those of the release that `home` leads to now, with the settings of now, one after the
 * other; the first one that does not get ready ends it. Resolves with what went wrong.
 */
export async function reload(
  context: Context,
  slots: readonly Slot[],
  { home, settings }: Renewed,
): Promise<string | undefined> {
  const { log } = context;
  const started = performance.now();
  let replaced = 0;
  let release: string | undefined;
  try {
    const setup = { tree: await realpath(home), ...(await settings()) };
    await prepareIn(context, { setup, hasTerminal: false, isAlone: false });
    for (const slot of slots) {
      release = await replace(context, slot, setup);
      replaced += 1;
    }
  } catch (error) {
    const reason = reasonsOf(error as Error).join(': ');
    log.error({ event: 'reload_failed', reason, replaced }, 'not reloaded: the other processes serve on');
    return reason;
  }
  const seconds = Math.round((performance.now() - started) / 100) / 10;
  log.info({ event: 'reload_done', release, processes: replaced, seconds }, 'all processes were replaced');
  return undefined;
}
