import { constants, getPriority, setPriority } from 'node:os';

/** For a command that a worker runs: requests go first. A service of a lower priority has it already, and may not raise it. */
export function workBesideService(): void {
  setPriority(Math.max(getPriority(), constants.priority.PRIORITY_BELOW_NORMAL));
}
