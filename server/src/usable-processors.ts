import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8').trim();
  } catch {
    // other systems have no such file
    return '';
  }
}

/** `0-3,8` is 5; undefined when it is no such list. */
function countOf(list: string): number | undefined {
  let count = 0;
  for (const part of list.split(',')) {
    const [, first, last] = /^(\d+)(?:-(\d+))?$/.exec(part) ?? [];
    if (first === undefined) return undefined;
    count += Number(last ?? first) - Number(first) + 1;
  }
  return count;
}

/** The processors that the scheduler may give to this process. */
const allowed = (root: string) =>
  countOf(/^Cpus_allowed_list:\s*(\S+)$/m.exec(read(join(root, 'proc/self/status')))?.[1] ?? '');

/** How many processors a quota is worth: microseconds of work in a period of microseconds. */
function worth(quota: string, period: string): number {
  const processors = Number(quota) / Number(period);
  // `max` and -1 are no quota
  return processors > 0 ? processors : Infinity;
}

function quotaOfV2(group: string): number {
  const [quota = '', period = ''] = read(join(group, 'cpu.max')).split(' ');
  return worth(quota, period);
}

const quotaOfV1 = (group: string) =>
  worth(read(join(group, 'cpu.cfs_quota_us')), read(join(group, 'cpu.cfs_period_us')));

/** The group and all above it: each may have a quota. A container sees its own group at the top, whatever its path. */
function groupsOf(path: string): string[] {
  const names = path.split('/').filter((name) => name !== '' && name !== '..');
  return [...names.keys(), names.length].map((depth) => names.slice(0, depth).join('/'));
}

/** The least quota of the control groups of this process. */
function quota(root: string): number {
  const quotas = read(join(root, 'proc/self/cgroup'))
    .split('\n')
    .flatMap((line) => {
      const [, controllers, path = ''] = /^\d+:([^:]*):(.*)$/.exec(line) ?? [];
      const groups = groupsOf(path);
      if (controllers === '') return groups.map((group) => quotaOfV2(join(root, 'sys/fs/cgroup', group)));
      if (!controllers?.split(',').includes('cpu')) return [];
      return ['cpu', 'cpu,cpuacct'].flatMap((mount) =>
        groups.map((group) => quotaOfV1(join(root, 'sys/fs/cgroup', mount, group))),
      );
    });
  return Math.min(...quotas, Infinity);
}

/**
 * How many processors this process can keep busy, at least 1: those of its affinity within the quota of its control
 * groups (versions 1 and 2), rounded up. Node knows no quota of version 1, nor every one of version 2.
 * @param root the file system to look at
 */
export const usableProcessors = (root = '/'): number =>
  Math.max(1, Math.ceil(Math.min(allowed(root) ?? availableParallelism(), quota(root))));
