import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The text of a file, or the fallback on systems without it. */
export function readOr(path: string, fallback = ''): string {
  try {
    return readFileSync(path, 'utf8').trim();
  } catch {
    return fallback;
  }
}

/** The group and its ancestors, each of which may have a limit. A container sees its own group as the root. */
function groupsOf(path: string): string[] {
  const names = path.split('/').filter((name) => name !== '' && name !== '..');
  return [...names.keys(), names.length].map((depth) => names.slice(0, depth).join('/'));
}

type Limit = {
  /** The root of the file system to read. */
  root: string;
  /** For version 1: the controller, and where its hierarchy is mounted. */
  controller: string;
  mounts: readonly string[];
  /** The limit in a folder of each version; Infinity for none. */
  ofV1: (group: string) => number;
  ofV2: (group: string) => number;
};

/** The lowest limit of this process's control groups (versions 1 and 2), or Infinity. */
export function leastOfGroups({ root, controller, mounts, ofV1, ofV2 }: Limit): number {
  const found = readOr(join(root, 'proc/self/cgroup'))
    .split('\n')
    .flatMap((line) => {
      const [, controllers, path = ''] = /^\d+:([^:]*):(.*)$/.exec(line) ?? [];
      const groups = groupsOf(path);
      if (controllers === '') return groups.map((group) => ofV2(join(root, 'sys/fs/cgroup', group)));
      if (!controllers?.split(',').includes(controller)) return [];
      return mounts.flatMap((mount) => groups.map((group) => ofV1(join(root, 'sys/fs/cgroup', mount, group))));
    });
  return Math.min(...found, Infinity);
}
