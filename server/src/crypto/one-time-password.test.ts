import { expect, test } from 'vitest';
import { oneTimePassword } from './one-time-password.ts';
import { passwordProblems } from './password-rules.ts';

const passwords = Array.from({ length: 2000 }, () => oneTimePassword());

test('a one-time password has 20 characters and satisfies every rule', () => {
  for (const password of passwords) {
    expect(password).toHaveLength(20);
    expect(passwordProblems(password, { min: 20, context: {} })).toEqual([]);
  }
});

test('it uses 64 characters without lookalikes, so it has more than 112 bits', () => {
  const used = new Set(passwords.join(''));
  expect(used.size).toBe(64);
  expect(passwords.join('')).not.toMatch(/[0O1lIo]/);
  expect(new Set(passwords).size).toBe(passwords.length);
});

test('every position takes every kind of character', () => {
  for (let place = 0; place < 20; place += 1) {
    const column = passwords.map((password) => password[place]).join('');
    for (const kind of [/[A-Z]/, /[a-z]/, /[2-9]/, /[^A-Za-z0-9]/]) expect(column).toMatch(kind);
  }
});

test('it contains no context word of the person', () => {
  const context = { name: 'Lena Park', email: 'lena@acme.example', employee_number: '0572', entity_name: 'Acme' };
  expect(passwordProblems(oneTimePassword(context), { min: 20, context })).toEqual([]);
});
