import { reasonOf } from '../backup/refusal.ts';
import { BadSetting } from '../config.ts';
import { remedyFor } from '../doctor/reach.ts';

/** Turns an error of the first connection into a line that says what to do; other errors stay as they are. */
export function notReached(error: unknown): unknown {
  const remedy = remedyFor(error as NodeJS.ErrnoException);
  return remedy
    ? new BadSetting(`The database cannot be reached (${reasonOf(error)}). ${remedy}`, { cause: error })
    : error;
}
