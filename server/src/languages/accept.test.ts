import { expect, test } from 'vitest';
import { languageOf } from './accept.ts';

test.each([
  [undefined, 'en'],
  ['', 'en'],
  ['*', 'en'],
  ['de', 'de'],
  ['DE-ch', 'de'],
  ['de-AT,de;q=0.9,en;q=0.5', 'de'],
  ['en;q=0.1, de;q=0.2', 'de'],
  ['en, de;q=0.9', 'en'],
  ['tlh, de;q=0.1', 'de'],
  ['tlh', 'en'],
  ['en-GB', 'en'],
  ['constructor', 'en'],
  ['de;q=0', 'en'],
  ['de;q=0, *', 'en'],
  ['de;q=abc', 'en'],
  [';;;,,,=de', 'en'],
  [`${'de-x,'.repeat(2_000)}de`, 'de'],
])('%s means %s', (header, language) => {
  expect(languageOf(header)).toBe(language);
});
