import { describe, expect, test } from 'vitest';
import {
  bcryptInput,
  formatStoredPassword,
  isPasswordTooLong,
  needsRehash,
  newLongKey,
  parseStoredPassword,
} from './passwords.ts';

const TAIL = 'CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW';
const stored = (version: string, cost: string): string => `$${version}$${cost}$${TAIL}`;

describe('a stored password', () => {
  test.each(['2a', '2b', '2y'])('is read as $%s$', (version) => {
    const parsed = parseStoredPassword(stored(version, '12'));
    expect(parsed).toMatchObject({ cost: 12, longKey: null, digest: TAIL.slice(22) });
    expect(parsed?.setting).toMatch(/^\$2[ab]\$12\$C{21}\.$/);
  });

  test('stores the key of a long password after the hash', () => {
    const key = Buffer.alloc(16, 7);
    const text = formatStoredPassword(stored('2b', '12'), key);
    expect(text).toBe(`${stored('2b', '12')}$BwcHBwcHBwcHBwcHBwcHBw`);
    expect(parseStoredPassword(text)).toMatchObject({ cost: 12, longKey: key });
  });

  test.each([
    '',
    'password',
    stored('2x', '12'),
    stored('2b', '1'),
    stored('2b', '12').slice(0, -1),
    `${stored('2b', '12')}\n`,
    `${stored('2b', '12')}$`,
    `${stored('2b', '12')}$BwcHBwcHBwcHBwcHBwcHB`,
    `${stored('2b', '12')}$BwcHBwcHBwcHBwcHBwcHBx`,
  ])('is not %j', (text) => {
    expect(parseStoredPassword(text)).toBeNull();
  });

  test('is rehashed when its cost is lower, not when it is equal or higher', () => {
    expect(needsRehash(stored('2y', '10'), 12)).toBe(true);
    expect(needsRehash(stored('2a', '12'), 12)).toBe(false);
    expect(needsRehash(stored('2b', '13'), 12)).toBe(false);
    expect(needsRehash('unreadable', 12)).toBe(true);
  });
});

describe('the input of bcrypt', () => {
  test('is the password itself up to 72 bytes and a keyed digest of 64 characters above', () => {
    expect(newLongKey('a'.repeat(72))).toBeNull();
    expect(newLongKey('a'.repeat(73))).toHaveLength(16);
    expect(newLongKey('ü'.repeat(37))).toHaveLength(16);
    expect(bcryptInput(' a ', null)).toBe(' a ');
    expect(bcryptInput('a'.repeat(73), Buffer.alloc(16))).toMatch(/^[A-Za-z0-9+/]{64}$/);
  });

  test('is the same for both Unicode forms of a letter', () => {
    expect(bcryptInput('u\u0308', null)).toBe('\u00fc');
    expect(newLongKey('u\u0308'.repeat(36))).toBeNull();
  });
});

test('a password holds at most 1,024 bytes', () => {
  expect(isPasswordTooLong('a'.repeat(1024))).toBe(false);
  expect(isPasswordTooLong('a'.repeat(1025))).toBe(true);
  expect(isPasswordTooLong('ü'.repeat(512))).toBe(false);
  expect(isPasswordTooLong('ü'.repeat(513))).toBe(true);
});
