import { expect, test } from 'vitest';
import { readBack } from '../../testing/read-calendars.ts';

test('ical.js reads 10,000 calendars as they were meant', () => {
  expect(readBack(10_000)).toBe(10_000);
});
