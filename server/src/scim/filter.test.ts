import fc from 'fast-check';
import { expect, test } from 'vitest';
import { matches, readFilter } from './filter.ts';
import type { ScimProblem } from './problem.ts';

const refusal = (filter: string) => {
  try {
    readFilter(filter);
  } catch (error) {
    return (error as ScimProblem).scimType;
  }
  return undefined;
};

test('texts of a filter are JSON strings', () => {
  expect(readFilter(String.raw`userName eq "a\\b \"c\" é"`)).toEqual({
    op: 'eq',
    attrPath: 'userName',
    compValue: 'a\\b "c" é',
  });
  // the text ends with a backslash
  expect(readFilter(String.raw`userName eq "a\\" and active eq true`)).toMatchObject({ op: 'and' });
});

test('a text without an end is refused at once', () => {
  const before = performance.now();
  expect(refusal(`userName eq "${'\n'.repeat(900)}`)).toBe('invalidFilter');
  expect(performance.now() - before).toBeLessThan(500);
});

test.each([
  ['more than 1,000 characters', `userName eq "${'a'.repeat(1_000)}"`],
  ['nothing', ''],
  ['half a filter', 'userName eq'],
  ['an unknown operator', 'userName is "a"'],
  ['more than eight levels', `${'not ('.repeat(8)}active eq true${')'.repeat(8)}`],
  ['a text with a null character', String.raw`userName eq "a\u0000b"`],
  ['what follows its end', 'active eq true)'],
])('%s is no filter', (_what, filter) => {
  expect(refusal(filter)).toBe('invalidFilter');
});

test('eight levels are a filter', () => {
  expect(refusal(`${'not ('.repeat(7)}active eq true${')'.repeat(7)}`)).toBeUndefined();
});

test('any text is a filter or refused as one', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (text) => {
      expect([undefined, 'invalidFilter']).toContain(refusal(text));
    }),
    { numRuns: 2_000 },
  );
});

test.each([
  ['type eq "WORK"', true],
  ['type eq "work" and value ew "acme.example"', true],
  ['type eq "home" or value sw "A"', true],
  ['not (type eq "work")', false],
  ['primary pr', false],
  ['display eq null', true],
  ['value gt "a" and value lt "b"', true],
  ['value co "@"', true],
  ['type ne "work"', false],
])('%s chooses an element: %s', (filter, is) => {
  expect(matches(readFilter(filter), { type: 'work', value: 'ada@acme.example' })).toBe(is);
});
