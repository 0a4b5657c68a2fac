import { expect, test } from 'vitest';
import { decimalSignOf, readNumber, sentNumber, writeNumber } from './numbers.ts';

test("numbers are parsed in the language's format, with or without thousands separators", () => {
  expect(readNumber('1,250.5', '.')).toBe(1250.5);
  expect(readNumber('1.250,5', ',')).toBe(1250.5);
  expect(readNumber('3.000.000', ',')).toBe(3_000_000);
  expect(readNumber('-12,5', ',')).toBe(-12.5);
  expect(readNumber(' 33,34 ', ',')).toBe(33.34);
});

test('a separator that cannot separate thousands is the decimal sign in every language', () => {
  expect(readNumber('33.34', ',')).toBe(33.34);
  expect(readNumber('33,34', '.')).toBe(33.34);
});

test('text that is not a number has no value, and is sent unchanged to be refused', () => {
  for (const text of ['', 'a lot', '1.2.3', '--1', '5 %']) expect(readNumber(text, '.')).toBeUndefined();
  expect(sentNumber('a lot', '.')).toBe('a lot');
  expect(sentNumber('  ', '.')).toBeNull();
});

test("numbers are written with the language's decimal sign", () => {
  expect(writeNumber(33.34, decimalSignOf('de-DE'))).toBe('33,34');
  expect(writeNumber(33.34, decimalSignOf('en-GB'))).toBe('33.34');
  expect(writeNumber(null, ',')).toBe('');
});
