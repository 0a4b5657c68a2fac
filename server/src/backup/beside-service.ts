import { constants, getPriority, setPriority } from 'node:os';

/** For a command that a worker runs while requests are served. */
export function workBesideService(): void {
  // requests go first; under a service of lower priority it inherits that, and may not raise it
  setPriority(Math.max(getPriority(), constants.priority.PRIORITY_BELOW_NORMAL));
  // outliving a service that stops, it would start the database and block DATA_DIR for the next start
  if ('connected' in process && !process.connected) process.exit(1);
  process.once('disconnect', () => process.exit(1));
  process.channel?.unref();
}
