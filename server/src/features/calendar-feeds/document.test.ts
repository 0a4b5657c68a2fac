import { expect, test } from 'vitest';
import { readBack } from '../../testing/read-calendars.ts';

test('ical.js reads 2,000 calendars as they were meant', () => {
  expect(readBack(2_000)).toBe(2_000);
});
