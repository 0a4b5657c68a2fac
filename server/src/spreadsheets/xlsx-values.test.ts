import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { columnLetters, columnOf, dateText, decodeText, encodeText, isDateFormat, numberText } from './xlsx-values.ts';

describe('numbers', () => {
  test.each([
    ['42', '42'],
    ['-7', '-7'],
    ['0.1', '0.1'],
    ['0.30000000000000004', '0.3'],
    ['1234.5600000000001', '1234.56'],
    ['12345678901234567', '12345678901234567'],
    ['1E3', '1000'],
    ['1.5E-7', '0.00000015'],
    ['8.4901234567E10', '84901234567'],
    ['1E21', '1000000000000000000000'],
    ['', ''],
    ['abc', 'abc'],
  ])('%s reads %s', (stored, text) => {
    expect(numberText(stored)).toBe(text);
  });

  test('every number of up to two decimals reads as it is written', () => {
    fc.assert(
      fc.property(fc.integer({ min: -1e12, max: 1e12 }), (cents) => {
        expect(Number(numberText(String(cents / 100)))).toBe(cents / 100);
        expect(numberText((cents / 100).toPrecision(17))).not.toMatch(/e|\d{17}/);
      }),
    );
  });
});

describe('dates', () => {
  test.each([
    [1, '1900-01-01'],
    [59, '1900-02-28'],
    [61, '1900-03-01'],
    [45_000, '2023-03-15'],
    [45_000.999_999_9, '2023-03-16'],
    [46_130.597_222_222_2, '2026-04-18T14:20:00'],
    [0.25, '06:00:00'],
    [2_958_465, '9999-12-31'],
    [2_958_466, undefined],
    [-1, undefined],
    [Number.NaN, undefined],
  ])('the serial %d is %s', (serial, text) => {
    expect(dateText(serial, false)).toBe(text);
  });

  test('the 1904 system counts from another day', () => {
    expect([dateText(0, true), dateText(1, true), dateText(43_538, true)]).toEqual([
      '1904-01-01',
      '1904-01-02',
      '2023-03-15',
    ]);
  });

  test.each([
    [14, undefined, true],
    [22, undefined, true],
    [46, undefined, false],
    [0, undefined, false],
    [10, undefined, false],
    [164, 'yyyy\\-mm\\-dd;@', true],
    [165, '[$-409]d\\-mmm\\-yy', true],
    [166, '[$-F400]h:mm:ss AM/PM', true],
    [167, '[h]:mm:ss', false],
    [168, '[Red]#,##0.00 "days"', false],
    [169, '0.00E+00', false],
    [170, 'General', false],
    [172, '['.repeat(100_000), false],
    [171, '#,##0\\ "дн"', false],
  ])('number format %d %.30s shows a date: %s', (id, code, is_date) => {
    expect(isDateFormat(id, code)).toBe(is_date);
  });
});

describe('texts', () => {
  test.each([
    ['a\rb', 'a\rb'],
    ['\v', '_x000B_'],
    ['\u0000', '_x0000_'],
    ['_x0041_', '_x005F_x0041_'],
    ['a_xyz', 'a_xyz'],
    ['né 🌸', 'né 🌸'],
  ])('%j is stored as %s', (text, stored) => {
    expect(encodeText(text)).toBe(stored);
    expect(decodeText(stored)).toBe(text);
  });

  test('every text comes back exactly', () => {
    const tricky = fc.string({ unit: fc.constantFrom('_', 'x', '0', '4', '1', 'F', '\u0001', '\uFFFF', '\r') });
    fc.assert(
      fc.property(fc.oneof(tricky, fc.string()), (text) => {
        expect(decodeText(encodeText(text))).toBe(text);
      }),
      { numRuns: 2_000 },
    );
  });
});

describe('references', () => {
  test.each([
    [0, 'A'],
    [25, 'Z'],
    [26, 'AA'],
    [701, 'ZZ'],
    [702, 'AAA'],
    [16_383, 'XFD'],
  ])('column %d is %s', (column, letters) => {
    expect(columnLetters(column)).toBe(letters);
    expect(columnOf(`${letters}12`)).toBe(column);
  });

  test.each(['', '12', 'a1', '$A$1', 'AAAA1'])('%j is no place', (reference) => {
    expect(columnOf(reference)).toBe(-1);
  });
});
