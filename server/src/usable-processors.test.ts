import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { usableProcessors } from './usable-processors.ts';

const status = (list: string) => ({
  'proc/self/status': `Name:\tnode\nCpus_allowed:\tff\nCpus_allowed_list:\t${list}\n`,
});
const group = (...lines: string[]) => ({ 'proc/self/cgroup': `${lines.join('\n')}\n` });
const v2 = (path: string, max: string) => ({ [`sys/fs/cgroup${path}/cpu.max`]: `${max}\n` });
const v1 = (path: string, quota: number, mount = 'cpu,cpuacct') => ({
  [`sys/fs/cgroup/${mount}${path}/cpu.cfs_quota_us`]: `${quota}\n`,
  [`sys/fs/cgroup/${mount}${path}/cpu.cfs_period_us`]: '100000\n',
});
const sixtyFour = status('0-63');

test.each<[string, number, Record<string, string>]>([
  ['no quota and no control group', 64, sixtyFour],
  ['an affinity of some', 5, status('0-3,8')],
  ['an affinity of one', 1, status('7')],
  ['v2: half a processor', 1, { ...sixtyFour, ...group('0::/'), ...v2('', '50000 100000') }],
  ['v2: one and a half, rounded up', 2, { ...sixtyFour, ...group('0::/'), ...v2('', '150000 100000') }],
  ['v2: another period', 3, { ...sixtyFour, ...group('0::/'), ...v2('', '30000 10000') }],
  ['v2: no quota', 64, { ...sixtyFour, ...group('0::/a'), ...v2('/a', 'max 100000') }],
  [
    'v2: the group above has the quota',
    4,
    {
      ...sixtyFour,
      ...group('0::/machine.slice/tenure.service'),
      ...v2('/machine.slice', '400000 100000'),
      ...v2('/machine.slice/tenure.service', 'max 100000'),
    },
  ],
  [
    'v2: the least of several quotas',
    2,
    { ...sixtyFour, ...group('0::/a/b'), ...v2('/a', '200000 100000'), ...v2('/a/b', '600000 100000') },
  ],
  ['v2: a group outside of the namespace', 2, { ...sixtyFour, ...group('0::/../b'), ...v2('', '200000 100000') }],
  ['a quota above the affinity', 2, { ...status('0-1'), ...group('0::/'), ...v2('', '800000 100000') }],
  ['v1: half a processor', 1, { ...sixtyFour, ...group('4:cpu,cpuacct:/', '1:name=systemd:/'), ...v1('', 50_000) }],
  ['v1: no quota', 64, { ...sixtyFour, ...group('4:cpu,cpuacct:/'), ...v1('', -1) }],
  ['v1: the controller alone', 3, { ...sixtyFour, ...group('1:cpu:/a'), ...v1('/a', 250_000, 'cpu') }],
  [
    'v1: a container that sees the path of its host',
    2,
    { ...sixtyFour, ...group('4:cpu,cpuacct:/docker/0f3c'), ...v1('', 200_000) },
  ],
  ['v1 beside an empty v2', 2, { ...sixtyFour, ...group('1:cpu:/', '0::/'), ...v1('', 200_000, 'cpu') }],
  ['another controller', 64, { ...sixtyFour, ...group('3:cpuset:/'), ...v1('', 50_000) }],
  ['files that say nothing', 64, { ...sixtyFour, ...group('0::/'), ...v2('', 'much') }],
  ['a system without these files', availableParallelism(), {}],
])('%s', (_name, expected, files) => {
  const root = mkdtempSync(join(tmpdir(), 'tenure-processors-'));
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), content);
  }
  expect(usableProcessors(root)).toBe(expected);
  rmSync(root, { recursive: true });
});

test('this machine has some', () => {
  expect(usableProcessors()).toBeGreaterThanOrEqual(1);
  expect(usableProcessors()).toBeLessThanOrEqual(availableParallelism());
});
