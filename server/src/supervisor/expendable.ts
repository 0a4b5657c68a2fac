import { readFileSync, writeFileSync } from 'node:fs';

const file = '/proc/self/oom_score_adj';
/** Thousandths of the memory: more than a connection of PostgreSQL counts, which has an eighth of it in shared buffers. */
const share = 300;
const most = 1_000;

/**
 * Lets the kernel end this process before the database and the supervisor when memory runs out: it is replaced within
 * seconds, and nothing is lost. Without rights a process may only raise its value, and other systems have none.
 */
export function becomeExpendable(): void {
  try {
    const given = Number(readFileSync(file, 'utf8'));
    writeFileSync(file, String(Math.min(given + share, most)));
  } catch {
    // the kernel then ends the largest process, as before
  }
}
