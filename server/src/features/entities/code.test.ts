import { expect, test } from 'vitest';
import { baseCode, uniqueCode } from './code.ts';

test.each([
  ['Acme Foods Ltd', 'AFL'],
  ['Globex', 'GLOB'],
  ['Müller & Söhne', 'MS'],
  ['3M', '3M'],
  ['A.', 'COA'],
  ['東京', 'CO'],
  ['a b c d e f g h i', 'ABCDEFG'],
])('the code of %s is %s', (name, code) => expect(baseCode(name)).toBe(code));

test('a taken code gets the first free number within ten characters', () => {
  expect(uniqueCode('AFL', new Set())).toBe('AFL');
  expect(uniqueCode('AFL', new Set(['AFL', 'AFL2']))).toBe('AFL3');
  const taken = new Set(['ABCDEFGHIJ', ...[2, 3, 4, 5, 6, 7, 8, 9].map((n) => `ABCDEFGHI${n}`)]);
  expect(uniqueCode('ABCDEFGHIJ', taken)).toBe('ABCDEFGH10');
});
