import { describe, expect, test } from 'vitest';
import { randomBytes } from './crypto.ts';
import { generateKey, keyById, keyRing, parseKey } from './keys.ts';

const COUNTING = Buffer.from(Array.from({ length: 32 }, (_, index) => index));

describe('parseKey', () => {
  test('reads 32 bytes of base64', () => {
    expect(parseKey(COUNTING.toString('base64'))).toEqual(COUNTING);
  });

  test.each([
    ['nothing', ''],
    ['31 bytes', COUNTING.subarray(1).toString('base64')],
    ['33 bytes', Buffer.concat([COUNTING, COUNTING.subarray(0, 1)]).toString('base64')],
    ['base64url', Buffer.alloc(32, 0xff).toString('base64url')],
    ['no padding', COUNTING.toString('base64').slice(0, -1)],
    ['white space around it', ` ${COUNTING.toString('base64')}`],
    ['hex', COUNTING.toString('hex')],
    ['characters outside the alphabet', `!!${COUNTING.toString('base64')}`],
    ['stray bits at the end', COUNTING.toString('base64').replace(/8=$/, '9=')],
  ])('refuses %s and does not repeat it', (_, text) => {
    expect(() => parseKey(text)).toThrow(/^must be 32 random bytes in base64 \(44 characters\)$/);
  });

  test('refuses fewer than 16 distinct bytes', () => {
    const withDistinct = (count: number): string =>
      Buffer.from(COUNTING.map((byte) => byte % count)).toString('base64');
    expect(() => parseKey(withDistinct(15))).toThrow('fewer than 16 distinct bytes');
    expect(parseKey(withDistinct(16))).toHaveLength(32);
  });

  test('reads every generated key, and no two are equal', () => {
    const keys = Array.from({ length: 100 }, generateKey);
    expect(keys.map((key) => parseKey(key).length)).toEqual(keys.map(() => 32));
    expect(new Set(keys).size).toBe(keys.length);
  });
});

describe('keyRing', () => {
  // Computed by an independent HKDF in another language.
  test('derives known ids and sub-keys', () => {
    const { current } = keyRing(COUNTING);
    expect(current.kid).toBe('d9773a7597e5');
    expect(current.forPurpose.session.toString('hex')).toBe(
      '05765ac66315bafa364e902e27eae644c8c253c9eb85f3a4e63f3821607ffaa0',
    );
    expect(current.forPurpose.csrf.toString('hex')).toBe(
      '1132750d4aa7d83747a0f966451bd575ac43b49a19c915b71430619d529ed594',
    );
  });

  test('finds the current and the previous keys by id, and no other', () => {
    const [a, b, c] = [randomBytes(32), randomBytes(32), randomBytes(32)];
    const ring = keyRing(b, [a, b]);
    expect(ring.all.map(({ kid }) => kid)).toEqual([keyRing(b).current.kid, keyRing(a).current.kid]);
    expect(keyById(ring, keyRing(a).current.kid)).toBe(ring.all[1]);
    expect(keyById(ring, keyRing(c).current.kid)).toBeUndefined();
  });
});
