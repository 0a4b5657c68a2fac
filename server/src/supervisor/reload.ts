import { realpath } from 'node:fs/promises';
import type { FirstAdmin } from '../features/sessions/first-admin.ts';
import { reasonsOf } from '../logging.ts';
import { launch, readyWithin } from './process.ts';
import { startIn } from './slots.ts';
import type { Context, Setup, Slot } from './slots.ts';

/** After the listener has closed, a recently accepted connection may still send its request. */
const idleMilliseconds = 1_000;

type Preparing = { setup: Setup; hasTerminal: boolean; isAlone: boolean };

/** Brings the database to a release, in a process that then exits. */
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
  // no limit, because a migration takes the time it needs
  const { firstAdmin } = await readyWithin(one, stopping);
  await one.stop(0);
  return firstAdmin;
}

/** Starts a process, then stops its predecessor. */
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

/** What a reload rereads, once for all processes. */
export type Renewed = {
  /** The folder of the release, or a link to it. */
  home: string;
  /** @throws {BadSetting} */
  settings: () => Promise<Omit<Setup, 'tree'>>;
};

/**
 * Replaces all processes, one after the other, by those of the release that `home` now leads to, with the current
 * settings. Stops at the first process that does not get ready. Resolves with what went wrong.
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
    log.error(
      { event: 'reload_failed', reason, replaced },
      'the reload failed: processes that were not replaced continue to serve',
    );
    return reason;
  }
  const seconds = Math.round((performance.now() - started) / 100) / 10;
  log.info({ event: 'reload_done', release, processes: replaced, seconds }, 'all processes were replaced');
  return undefined;
}
