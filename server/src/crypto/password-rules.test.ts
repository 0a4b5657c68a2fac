import { say } from '../http/errors.ts';
import { inEnglish } from '../languages/languages.ts';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { BASE_WORDS } from './base-words.ts';
import { passwordProblems } from './password-rules.ts';
import type { PasswordContext } from './password-rules.ts';

const anyCodeUnit = fc.nat({ max: 0xffff }).map((code) => String.fromCharCode(code));
const LENGTH = 'The password field must be at least 8 characters.';
const CASE = 'The password field must contain at least one uppercase and one lowercase letter.';
const NUMBER = 'The password field must contain at least one number.';
const SYMBOL = 'The password field must contain at least one symbol.';
const LEAKED = 'The given password has appeared in a data leak. Please choose a different password.';
const CONTEXT =
  'The password field must not contain your name, your email, your employee number or the name of the company.';

const LENA: PasswordContext = {
  name: 'Lena van der Park',
  email: 'lena.park-w@acme.example',
  employee_number: 'ACME-0572',
  entity_name: 'Müller & Söhne Ltd',
};

function problems(password: string, context: PasswordContext = {}, min = 8): string[] {
  return passwordProblems(password, { min, context }).map((problem) => inEnglish(say('password', problem)));
}

describe('composition', () => {
  test('all failures are reported together, in order', () => {
    expect(problems('abc')).toEqual([LENGTH, CASE, NUMBER, SYMBOL]);
    expect(problems('')).toEqual([LENGTH, CASE, NUMBER, SYMBOL]);
  });

  test.each([
    ['Gvkrw7!', [LENGTH]],
    ['gvkrwx7!', [CASE]],
    ['GVKRWX7!', [CASE]],
    ['Gvkrwxy!', [NUMBER]],
    ['Gvkrwxy7', [SYMBOL]],
    ['Gvkrwx7!', []],
    ['Gvkrwx7 ', []],
    ['Gvkrwx7€', []],
    ['Ünïcødé٣_', []],
    ['ПарольКот7!', []],
  ])('%j: %j', (password, expected) => {
    expect(problems(password)).toEqual(expected);
  });

  test('a length counts code points, not UTF-16 units', () => {
    expect(problems('Aa1!😀😀😀')).toEqual([LENGTH]);
    expect(problems('Aa1!😀😀😀😀')).toEqual([]);
  });

  test('the minimum length is a setting', () => {
    expect(problems('Gvkrwx7!Gvkrwx', {}, 15)).toEqual(['The password field must be at least 15 characters.']);
    expect(problems('Gvkrwx7!Gvkrwx7', {}, 15)).toEqual([]);
  });
});

describe('the blocklist', () => {
  test.each([
    'P@ssw0rd',
    'Passw0rd!',
    'Summer2026!',
    'Qwerty123!',
    'P@$$w0rd1',
    '!!Password99',
    'W3lcome#1',
    '@dmin2026!!',
    '$ummer2026!',
    'H3ll0-2026-',
    'February#28',
    'May-2026-05',
    'Tenure2026!',
    '1q2w3e4R!',
    'Superman!1',
    'Trustno1!',
    '!QAZ2wsx',
    'Ｐassword1!',
  ])('refuses %j', (password) => {
    expect(problems(password)).toContain(LEAKED);
  });

  test.each(['Str0ng!Passw0rd', 'Summer-of-2026-Rain', 'Gvkrwx7!', '12345678!aB', 'Mayfly-2026!'])(
    'lets %j pass',
    (password) => {
      expect(problems(password)).toEqual([]);
    },
  );

  test('contains its own words in lower case without duplicates', () => {
    expect(BASE_WORDS).toEqual([...new Set(BASE_WORDS)].map((word) => word.toLowerCase()));
    expect(BASE_WORDS.length).toBeGreaterThanOrEqual(60);
  });

  test('refuses each own word surrounded by digits and symbols', () => {
    const decoration = fc.stringMatching(/^[0-9!#%&*.,_-]{0,6}$/);
    fc.assert(
      fc.property(fc.constantFrom(...BASE_WORDS), decoration, decoration, (word, before, after) => {
        expect(problems(`${before}${word.toUpperCase()}${after}`)).toContain(LEAKED);
      }),
    );
  });
});

describe('context words', () => {
  test.each([
    ['the name', 'xLENAx7!y'],
    ['the family name', 'My-park-7!'],
    ['the local part of the e-mail', 'Lena.Park-W7'],
    ['the employee number', 'Qz!acme-0572'],
    ['a part of the employee number', 'Kw!Rtz0572'],
    ['the company', 'Zwq-MÜLLER-7'],
    ['the company in another Unicode spelling', 'Zwq-so\u0308hne-7'],
    ['the product', 'Zwq-tenure-7'],
  ])('refuses %s', (_, password) => {
    expect(problems(password, LENA)).toEqual([CONTEXT]);
  });

  test.each([
    ['a word of three letters', 'Van-Der-Ltd-7'],
    ['the domain of the e-mail', 'Example-Qz-7'],
    ['nothing of them', 'Gvkrwx7!'],
  ])('lets %s pass', (_, password) => {
    expect(problems(password, { ...LENA, employee_number: 'X-1' })).toEqual([]);
  });

  test('an unknown or empty context refuses nothing', () => {
    const empty = { name: null, email: '', employee_number: undefined, entity_name: ' ' };
    expect(problems('Gvkrwx7!', empty)).toEqual([]);
  });

  test('come after the other problems', () => {
    expect(problems('lena', LENA)).toEqual([LENGTH, CASE, NUMBER, SYMBOL, CONTEXT]);
    expect(problems('Password1!', { name: 'Ada Password' })).toEqual([LEAKED, CONTEXT]);
  });
});

test('no input makes the rules fail or slow', () => {
  fc.assert(fc.property(fc.string({ unit: anyCodeUnit }), (text) => Array.isArray(problems(text, { name: text }))));
  for (const unit of ['a', '1', '@', 'a@', '$0a', ' ']) {
    expect(problems(unit.repeat(100_000)).length).toBeGreaterThan(0);
  }
});
