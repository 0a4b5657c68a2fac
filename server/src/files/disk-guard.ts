import type { Logger } from 'pino';
import type { FileStore } from './store.ts';

/** Reserves disk space for the database; checked before large files are written. */
export type DiskGuard = { isLow: () => Promise<boolean> };

const keptMilliseconds = 1_000;

type Guarded = {
  files: Pick<FileStore, 'freeBytes'>;
  /** Free bytes below which large files are neither received nor written. */
  reserve: number;
  log: Pick<Logger, 'warn' | 'info'>;
};

/** Checks the disk at most once a second; an unreadable disk counts as full. */
export function guardDisk({ files, reserve, log }: Guarded): DiskGuard {
  let looked = -Infinity;
  let answer = Promise.resolve(false);
  let wasLow = false;

  async function look() {
    const free = await files.freeBytes().catch(() => -1);
    const isLow = free < reserve;
    if (isLow && !wasLow)
      log.warn(
        { event: 'disk_low', free, reserve },
        'free disk space is below DISK_RESERVE_MB: uploads, imports and exports are refused',
      );
    if (!isLow && wasLow)
      log.info({ event: 'disk_enough', free, reserve }, 'free disk space is above DISK_RESERVE_MB again');
    wasLow = isLow;
    return isLow;
  }

  return {
    isLow: () => {
      if (performance.now() - looked > keptMilliseconds) {
        looked = performance.now();
        answer = look();
      }
      return answer;
    },
  };
}
