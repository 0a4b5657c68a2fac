import { constants, getPriority, setPriority } from 'node:os';

/** For a command that a worker runs beside requests. */
export function workBesideService(): void {
  // requests go first; a service of a lower priority has it already, and may not raise it
  setPriority(Math.max(getPriority(), constants.priority.PRIORITY_BELOW_NORMAL));
  // left alone by a service that stops, it would start the database and keep DATA_DIR from the next start
  if ('connected' in process && !process.connected) process.exit(1);
  process.once('disconnect', () => process.exit(1));
  process.channel?.unref();
}
