import { setTimeout as sleep } from 'node:timers/promises';

/** Waits for the next minute (UTC) if this one ends in fewer seconds, because a new minute resets counts. */
export async function untilMinuteHas(seconds: number) {
  const left = 60 - ((Date.now() / 1_000) % 60);
  if (left < seconds) await sleep(left * 1_000 + 100);
}
