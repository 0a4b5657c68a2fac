import { expect, test } from 'vitest';
import { isFailing } from './slots.ts';
import type { Slot } from './slots.ts';

const slot = (role: Slot['role'], losses: number[]): Slot => ({
  name: role,
  role,
  setup: { tree: '', settings: {}, addresses: { appUrl: '', ownerUrl: '', directUrl: '' } },
  current: undefined,
  former: undefined,
  losses,
  lostWorkers: [],
});
const recent = (count: number, secondsAgo = 1) =>
  Array.from({ length: count }, () => performance.now() - secondsAgo * 1_000);

test.each<[string, boolean, Slot[]]>([
  ['all web processes ended five times within a minute', true, [slot('api', recent(5)), slot('api', recent(6))]],
  ['one of them ended less often', false, [slot('api', recent(9)), slot('api', recent(4))]],
  ['some of it was longer ago', false, [slot('api', [...recent(1, 61), ...recent(4)]), slot('api', recent(5))]],
  ['only the process for jobs ends', false, [slot('api', []), slot('worker', recent(9))]],
  ['the process for jobs does not matter', true, [slot('api', recent(5)), slot('worker', [])]],
])('%s: %s', (_name, expected, slots) => {
  expect(isFailing(slots)).toBe(expected);
});
