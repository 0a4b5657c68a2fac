import { totalmem } from 'node:os';
import { join } from 'node:path';
import { leastOfGroups, readOr } from './control-groups.ts';

function bytesOf(text: string): number {
  const bytes = Number(text);
  // `max` and a missing file mean no limit; version 1 expresses none with a number larger than any machine
  return bytes > 0 ? bytes : Infinity;
}

/**
 * Bytes of memory that this process and those beside it may use together: the machine's memory, limited by their
 * control groups (versions 1 and 2).
 * @param root the root of the file system to read
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
