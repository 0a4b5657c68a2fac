import { expect, test } from 'vitest';
import { asHex, bodyOf, shownAccent } from './fields.ts';

test.each([
  ['#0C6B63', '#0c6b63'],
  ['0c6b63', '#0c6b63'],
  [' #abc ', '#aabbcc'],
  ['red', 'red'],
  ['', ''],
])('%o is the colour %o', (typed, hex) => {
  expect(asHex(typed)).toBe(hex);
});

test('what is no colour shows the one that applies without it', () => {
  expect(shownAccent('#12', '#8a1c4a')).toBe('#8a1c4a');
  expect(shownAccent('', null)).toBe('#0c6b63');
  expect(shownAccent('#123', '#8a1c4a')).toBe('#112233');
});

test('empty fields are sent as null', () => {
  expect(bodyOf({ name: ' ', accent: 'ABC', letter_footer: 'a\nb ' })).toEqual({
    name: null,
    accent: '#aabbcc',
    letter_footer: 'a\nb',
  });
});
