import { expect, test } from 'vitest';
import { metRules } from './password-rules.ts';

test.each([
  ['', []],
  ['abc', []],
  ['abcdefgh', ['length']],
  ['Abcdefgh', ['length', 'case']],
  ['Abcdefg1', ['length', 'case', 'number']],
  ['Abcdef 1', ['length', 'case', 'number', 'symbol']],
  ['Ünïcödé٣€', ['length', 'case', 'number', 'symbol']],
  ['🔑🔑🔑🔑', ['symbol']],
])('%j meets %j', (password, expected) => {
  expect([...metRules(password)]).toEqual(expected);
});
