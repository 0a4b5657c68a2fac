import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { CLEAR_CELL, escapeCsvCell, escapeDash, fromCsvCell, toCsvCell, unescapeCell } from './escape.ts';

// Mostly the special characters, so that short texts cover every rule.
const texts = fc.oneof(
  fc.string({ unit: fc.constantFrom("'", '-', '=', '+', '@', '\t', '\r', '\n', 'a', ' ') }),
  fc.string(),
);

describe('CSV cells', () => {
  test.each(['=1+1', '+84 90', '-5', '@x', '\tx', '\rx', '-'])('%j gets an apostrophe', (text) => {
    expect(escapeCsvCell(text)).toBe(`'${text}`);
  });

  test.each(['', 'Ann', "O'Neil", "'quoted'", ' =1', 'a=b'])('%j stays as it is', (text) => {
    expect(escapeCsvCell(text)).toBe(text);
  });

  test('no value begins like a formula once it is a cell', () => {
    fc.assert(
      fc.property(texts, (value) => {
        expect(escapeCsvCell(value)).not.toMatch(/^[=+\-@\t\r]/);
      }),
    );
  });

  test('every value comes back exactly', () => {
    fc.assert(
      fc.property(texts, (value) => {
        const text = fromCsvCell(escapeCsvCell(value));
        expect(text).not.toBe(CLEAR_CELL);
        expect(unescapeCell(text)).toBe(value);
      }),
      { numRuns: 2_000 },
    );
  });

  test('a cell typed without escaping is read as typed', () => {
    expect(['=A', '+84', '-5', "'tis", '-'].map(fromCsvCell)).toEqual(['=A', '+84', '-5', "'tis", '-']);
  });
});

describe('import texts', () => {
  test('a lone dash clears and an escaped dash is a dash', () => {
    expect(fromCsvCell('-')).toBe(CLEAR_CELL);
    expect(fromCsvCell("'-")).toBe("'-");
    expect(unescapeCell("'-")).toBe('-');
  });

  test('every value comes back exactly when only the dash is escaped', () => {
    fc.assert(
      fc.property(texts, (value) => {
        expect(escapeDash(value)).not.toBe(CLEAR_CELL);
        expect(unescapeCell(escapeDash(value))).toBe(value);
      }),
      { numRuns: 2_000 },
    );
  });

  test('a file of failed rows gives back the same texts, and only the clearing dash begins like a formula', () => {
    fc.assert(
      fc.property(texts, (text) => {
        const cell = toCsvCell(text);
        expect(fromCsvCell(cell)).toBe(text);
        expect(cell).not.toMatch(/^([=+@\t\r]|-.)/s);
      }),
      { numRuns: 2_000 },
    );
  });
});
