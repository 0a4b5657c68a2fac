import { expect, test } from 'vitest';
import { closest, likeness } from './likeness.ts';

test.each([
  ['sales', 'sales', 1],
  ['sales', 'sale', 6 / 7],
  ['sales', 'hr', 0],
  ['', '', 0],
  // compared with each name, a cell of 32,767 characters would block the service
  ['sales'.repeat(4), 'sales', 0],
])('“%s” and “%s”', (one, other, score) => {
  expect(likeness(one, other)).toBeCloseTo(score, 3);
  expect(likeness(other, one)).toBeCloseTo(score, 3);
});

test('a part of a name means it', () => {
  const names = ['customer services and returns', 'warehouse'].map((key) => ({ key, name: key }));
  expect(closest('customer', names)).toBe('customer services and returns');
  expect(closest('legal', names)).toBeUndefined();
});
