import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir, totalmem } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { usableMemory } from './usable-memory.ts';

const group = (line: string) => ({ 'proc/self/cgroup': `${line}\n` });
const v2 = (path: string, max: string) => ({ [`sys/fs/cgroup${path}/memory.max`]: `${max}\n` });
const v1 = (path: string, bytes: string) => ({
  [`sys/fs/cgroup/memory${path}/memory.limit_in_bytes`]: `${bytes}\n`,
});
const [small, smaller] = [64 * 1_024 * 1_024, 32 * 1_024 * 1_024];

test.each<[string, number, Record<string, string>]>([
  ['a system without control groups', totalmem(), {}],
  ['v2: a limit', small, { ...group('0::/a'), ...v2('/a', String(small)) }],
  ['v2: no limit', totalmem(), { ...group('0::/a'), ...v2('/a', 'max') }],
  [
    'v2: the group above has less',
    smaller,
    { ...group('0::/a/b'), ...v2('/a', String(smaller)), ...v2('/a/b', String(small)) },
  ],
  ['v1: a limit', small, { ...group('9:memory:/docker/0f3c'), ...v1('', String(small)) }],
  ['v1: no limit', totalmem(), { ...group('9:memory:/'), ...v1('', '9223372036854771712') }],
  ['v1: another controller', totalmem(), { ...group('9:cpu:/'), ...v1('', String(small)) }],
])('%s', (_name, expected, files) => {
  const root = mkdtempSync(join(tmpdir(), 'tenure-memory-'));
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), content);
  }
  expect(usableMemory(root)).toBe(expected);
  rmSync(root, { recursive: true });
});
