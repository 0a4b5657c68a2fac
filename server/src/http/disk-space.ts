import type { Deps } from './context.ts';
import { unavailable } from './errors.ts';

const megabyte = 1_024 * 1_024;

/** Keeps the last of the disk for the database: below the reserve, nothing is stored that could wait. */
export async function requireDiskSpace({ config, files }: Pick<Deps, 'config' | 'files'>): Promise<void> {
  if ((await files.freeBytes()) < config.DISK_RESERVE_MB * megabyte) throw unavailable(30);
}
