import { setTimeout as wait } from 'node:timers/promises';

type Restarts = {
  /** Milliseconds before a restart; doubled after each one. */
  pause: { least: number; most: number };
  /** After a run of more milliseconds than this, the pause starts at its least again. */
  steadyAfter: number;
  signal: AbortSignal;
};

/** Runs a long-lived task, and runs it again whenever it ends, until the signal aborts. */
export async function keepRunning(
  run: () => Promise<void>,
  { pause: { least, most }, steadyAfter, signal }: Restarts,
): Promise<void> {
  for (let pause = least; !signal.aborted; pause = Math.min(pause * 2, most)) {
    const started = performance.now();
    await run();
    if (performance.now() - started > steadyAfter) pause = least;
    await wait(pause, undefined, { signal }).catch(() => undefined);
  }
}
