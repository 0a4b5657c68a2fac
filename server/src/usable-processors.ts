import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { leastOfGroups, readOr } from './control-groups.ts';

/** `0-3,8` is 5; undefined if it is not such a list. */
function countOf(list: string): number | undefined {
  let count = 0;
  for (const part of list.split(',')) {
    const [, first, last] = /^(\d+)(?:-(\d+))?$/.exec(part) ?? [];
    if (first === undefined) return undefined;
    count += Number(last ?? first) - Number(first) + 1;
  }
  return count;
}

/** The processors on which this process may be scheduled. */
const allowed = (root: string) =>
  countOf(/^Cpus_allowed_list:\s*(\S+)$/m.exec(readOr(join(root, 'proc/self/status')))?.[1] ?? '');

/** How many processors a quota is worth: microseconds of work per period, also in microseconds. */
function worth(quota: string, period: string): number {
  const processors = Number(quota) / Number(period);
  // `max` and -1 mean no quota
  return processors > 0 ? processors : Infinity;
}

function quotaOfV2(group: string): number {
  const [quota = '', period = ''] = readOr(join(group, 'cpu.max')).split(' ');
  return worth(quota, period);
}

const quotaOfV1 = (group: string) =>
  worth(readOr(join(group, 'cpu.cfs_quota_us')), readOr(join(group, 'cpu.cfs_period_us')));

/** The lowest quota of this process's control groups. */
const quota = (root: string) =>
  leastOfGroups({ root, controller: 'cpu', mounts: ['cpu', 'cpu,cpuacct'], ofV1: quotaOfV1, ofV2: quotaOfV2 });

/**
 * How many processors this process can keep busy, at least 1: those of its affinity, limited by the quota of its
 * control groups (versions 1 and 2), rounded up. Node ignores quotas of version 1, and some of version 2.
 * @param root the root of the file system to read
 */
export const usableProcessors = (root = '/'): number =>
  Math.max(1, Math.ceil(Math.min(allowed(root) ?? availableParallelism(), quota(root))));
