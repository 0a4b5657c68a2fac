import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isExempt, serviceDays } from './service-days.ts';

test.each([
  { joined: null, days: 90, exempt: false },
  { joined: '2019-07-01', days: 90, exempt: false },
  { joined: '2026-01-01', days: 90, exempt: false },
  { joined: '2026-03-02', days: 30, exempt: false },
  { joined: '2026-03-03', days: 29, exempt: true },
  { joined: '2026-03-05', days: 27, exempt: true },
  { joined: '2026-03-31', days: 1, exempt: true },
  { joined: '2026-04-01', days: 0, exempt: true },
  { joined: '2027-01-01', days: 0, exempt: true },
])('who joined on $joined has $days days in the first quarter of 2026', ({ joined, days, exempt }) => {
  const counted = serviceDays(joined, '2026-01-01', '2026-03-31');
  expect({ days: counted, exempt: isExempt(counted, 30) }).toEqual({ days, exempt });
});

test('a cycle without a minimum exempts no person', () => {
  expect(isExempt(0, null)).toBe(false);
});

test('a leap day counts, a change of the clocks does not', () => {
  expect(serviceDays(null, '2028-02-28', '2028-03-01')).toBe(3);
  expect(serviceDays('2026-03-29', '2026-01-01', '2026-03-30')).toBe(2);
});

test('a day later is a day less, and the days before and from any day on make up the cycle', () => {
  const start = Temporal.PlainDate.from('2026-01-01');
  const end = start.add({ days: 364 });
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 364 }), (offset) => {
      const joined = start.add({ days: offset });
      const days = serviceDays(joined.toString(), start.toString(), end.toString());
      expect(days).toBe(365 - offset);
      expect(days + serviceDays(null, start.toString(), joined.toString())).toBe(366);
    }),
  );
});
