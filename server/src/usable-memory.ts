import { totalmem } from 'node:os';
import { join } from 'node:path';
import { leastOfGroups, readOr } from './control-groups.ts';

function bytesOf(text: string): number {
  const bytes = Number(text);
  // `max` and an absent file are no limit; version 1 says none with a number above every machine
  return bytes > 0 ? bytes : Infinity;
}

/**
 * Bytes of memory that this process and those beside it may use together: those of the machine within the limit of
 * their control groups (versions 1 and 2).
 * @param root the file system to look at
 */
export const usableMemory = (root = '/'): number =>
  Math.min(
    totalmem(),
    leastOfGroups({
      root,
      controller: 'memory',
      mounts: ['memory'],
      ofV1: (group) => bytesOf(readOr(join(group, 'memory.limit_in_bytes'))),
      ofV2: (group) => bytesOf(readOr(join(group, 'memory.max'))),
    }),
  );
