import { expect, test } from 'vitest';
import { countriesIn, countryName } from './countries.ts';

test('countries have their names and order in the language of the page', () => {
  const [german, english] = [countriesIn('de'), countriesIn('en')];
  expect(german.find(({ code }) => code === 'DE')).toEqual({ code: 'DE', name: 'Deutschland' });
  expect(english.find(({ code }) => code === 'GB')).toEqual({ code: 'GB', name: 'United Kingdom' });
  expect(german.map(({ name }) => name).indexOf('Ägypten')).toBeLessThan(9);
  expect(english.length).toBe(german.length);
  expect(english.length).toBe(250);
});

test.each(['EU', 'UK', 'SU', 'YU', 'ZZ', 'UN', 'XA'])('%s is no country of today', (code) => {
  expect(countriesIn('en').filter((one) => one.code === code)).toEqual([]);
});

test.each([
  ['en', 'CH', 'Switzerland'],
  ['de', 'CH', 'Schweiz'],
  ['de', 'QQ', 'QQ'],
  ['de', 'nonsense', 'nonsense'],
  ['de', '', ''],
])('in %s, %s is called %s', (language, code, name) => {
  expect(countryName(language, code)).toBe(name);
});
