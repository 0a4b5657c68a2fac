import { afterEach, expect, test, vi } from 'vitest';
import { asInstants } from './day-bounds.ts';

afterEach(() => vi.unstubAllEnvs());

test.each([
  ['UTC', '2026-03-01T00:00:00.000Z', '2026-03-01T23:59:59.999Z'],
  ['Asia/Tokyo', '2026-02-28T15:00:00.000Z', '2026-03-01T14:59:59.999Z'],
  ['America/New_York', '2026-03-01T05:00:00.000Z', '2026-03-02T04:59:59.999Z'],
])('a day in %s lasts from its first moment to its last', (zone, at_from, at_to) => {
  vi.stubEnv('TZ', zone);
  expect(asInstants('2026-03-01', '2026-03-01')).toEqual({ at_from, at_to });
});

test('a day with a clock change has its actual length', () => {
  vi.stubEnv('TZ', 'America/New_York');
  const { at_from = '', at_to = '' } = asInstants('2026-03-08', '2026-03-08');
  expect(Date.parse(at_to) + 1 - Date.parse(at_from)).toBe(23 * 3_600_000);
});

test('an absent end stays open', () => {
  expect(asInstants(undefined, undefined)).toEqual({});
});
