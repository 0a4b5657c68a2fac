import { readFileSync, writeFileSync } from 'node:fs';

const file = '/proc/self/oom_score_adj';
/** Thousandths of the memory: more than a PostgreSQL connection counts, whose shared buffers are an eighth of it. */
const share = 300;
const most = 1_000;

/**
 * When memory runs out, lets the kernel kill this process before the database and the supervisor: it is replaced within
 * seconds, and nothing is lost. Without privileges a process can only raise its value, and other systems have none.
 */
export function becomeExpendable(): void {
  try {
    const given = Number(readFileSync(file, 'utf8'));
    writeFileSync(file, String(Math.min(given + share, most)));
  } catch {
    // the kernel then kills the largest process, as before
  }
}
