import { reasonOf } from '../backup/refusal.ts';
import { BadSetting } from '../config.ts';
import { remedyFor } from '../doctor/reach.ts';

/** An error of the first connection as a line that says what to do; one with another cause stays as it is. */
export function notReached(error: unknown): unknown {
  const remedy = remedyFor(error as NodeJS.ErrnoException);
  return remedy
    ? new BadSetting(`The database cannot be reached (${reasonOf(error)}). ${remedy}`, { cause: error })
    : error;
}
