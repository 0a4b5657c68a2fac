import { expect, test } from 'vitest';
import { dueNear } from './cron.ts';

const at = (text: string) => Date.parse(text);
const near = (...of: Parameters<typeof dueNear>) => {
  const found = dueNear(...of);
  return found === undefined ? undefined : new Date(found).toISOString().slice(0, 16);
};

test.each([
  ['15 2 * * *', '2026-11-26T02:14:59Z', '2026-11-26T02:15', '2026-11-25T02:15'],
  ['15 2 * * *', '2026-11-26T02:15:30Z', '2026-11-27T02:15', '2026-11-26T02:15'],
  ['0 */6 * * *', '2026-12-31T23:00:00Z', '2027-01-01T00:00', '2026-12-31T18:00'],
  ['45 4 * * 0', '2026-11-26T12:00:00Z', '2026-11-29T04:45', '2026-11-22T04:45'],
  ['15 5 1 * *', '2026-11-26T12:00:00Z', '2026-12-01T05:15', '2026-11-01T05:15'],
])('%s near %s is due at %s, and was at %s', (pattern, now, after, before) => {
  expect([near(pattern, at(now), 'after'), near(pattern, at(now), 'before')]).toEqual([after, before]);
});

test('a day that never comes is never due', () => {
  expect(near('0 0 31 2 *', at('2026-11-26T12:00:00Z'), 'after')).toBeUndefined();
});
