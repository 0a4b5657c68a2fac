import { expect, test } from 'vitest';
import { cycleBody, joinCaps, lastDayOf, periodAround, splitCaps } from './fields.ts';

test.each([
  ['quarterly', '2026-10-01', '2026-12-31'],
  ['monthly', '2028-02-01', '2028-02-29'],
  ['monthly', '2026-01-31', '2026-02-27'],
  ['semi_annual', '2026-07-01', '2026-12-31'],
  ['annual', '2027-04-01', '2028-03-31'],
  ['custom', '2027-04-01', undefined],
  ['annual', '', undefined],
])('a cycle of type %s from %s ends on %s', (type, first, last) => {
  expect(lastDayOf(type, first)).toBe(last);
});

test.each([
  ['monthly', '2028-02-17', { start: '2028-02-01', end: '2028-02-29' }],
  ['quarterly', '2026-11-22', { start: '2026-10-01', end: '2026-12-31' }],
  ['semi_annual', '2026-03-01', { start: '2026-01-01', end: '2026-06-30' }],
  ['annual', '2026-03-01', { start: '2026-01-01', end: '2026-12-31' }],
  ['custom', '2026-03-01', undefined],
])('the %s period around %s', (type, day, period) => {
  expect(periodAround(type, day)).toEqual(period);
});

test('caps become one text, empty if none is set', () => {
  expect(joinCaps(['', '', '', ''])).toBe('');
  expect(splitCaps(joinCaps(['20', '', '30', '']))).toEqual(['20', '', '30', '']);
  expect(cycleBody({ band_caps: '' }, '.')).toEqual({ band_caps: null });
});

test("numbers are parsed in the user's format; other text is sent unchanged", () => {
  expect(cycleBody({ pip_below_pct: '59,5', acceptance_days: 'soon', min_service_days: '' }, ',')).toEqual({
    pip_below_pct: 59.5,
    acceptance_days: 'soon',
    min_service_days: null,
  });
});
