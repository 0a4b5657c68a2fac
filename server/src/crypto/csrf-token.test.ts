import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { hmac, randomBytes } from './crypto.ts';
import { issueGuestToken, issueSessionToken, verifyGuestToken, verifySessionToken } from './csrf-token.ts';
import { keyRing } from './keys.ts';
import { newSessionId } from './session-cookie.ts';

const anyCodeUnit = fc.nat({ max: 0xffff }).map((code) => String.fromCharCode(code));
const NOW = 1_800_000_000;
const TWELVE_HOURS = 12 * 60 * 60;
const [a, b] = [randomBytes(32), randomBytes(32)];
const ring = keyRing(a);
const sid = newSessionId();

const kinds = [
  { kind: 'session', issue: () => issueSessionToken(ring, sid), length: 65, letter: 's' },
  { kind: 'guest', issue: () => issueGuestToken(ring, NOW), length: 76, letter: 'g' },
];

function verifiesAsAny(token: string | undefined, keys = ring): boolean {
  return verifySessionToken(keys, sid, token) || verifyGuestToken(keys, NOW, token);
}

describe.each(kinds)('a $kind token', ({ issue, length, letter }) => {
  test('starts with its letter, is longer than 40 characters and needs no percent-encoding', () => {
    const tokens = Array.from({ length: 100 }, issue);
    expect(new Set(tokens).size).toBe(tokens.length);
    for (const token of tokens) {
      expect(token).toMatch(new RegExp(`^${letter}[A-Za-z0-9_-]{${length - 1}}$`));
      expect(verifiesAsAny(token)).toBe(true);
    }
  });

  test('is invalid with any bit of any character flipped, cut or longer', () => {
    const token = issue();
    for (let index = 0; index < token.length; index += 1) {
      for (let bit = 0; bit < 8; bit += 1) {
        const bytes = Buffer.from(token);
        bytes[index] = (bytes[index] ?? 0) ^ (1 << bit);
        expect(verifiesAsAny(bytes.toString('latin1'))).toBe(false);
      }
      expect(verifiesAsAny(token.slice(0, index))).toBe(false);
    }
    expect(verifiesAsAny(`${token}A`)).toBe(false);
    expect(verifiesAsAny(`${token}=`)).toBe(false);
  });

  test('is invalid under the letter of the other kind', () => {
    const other = letter === 's' ? 'g' : 's';
    expect(verifiesAsAny(other + issue().slice(1))).toBe(false);
  });

  test('stays valid through a rotation until its key is removed', () => {
    const token = issue();
    expect(verifiesAsAny(token, keyRing(b, [a]))).toBe(true);
    expect(verifiesAsAny(token, keyRing(b))).toBe(false);
  });
});

test('a session token is invalid for another session', () => {
  expect(verifySessionToken(ring, newSessionId(), issueSessionToken(ring, sid))).toBe(false);
});

test('a session token is no guest token, and vice versa', () => {
  expect(verifyGuestToken(ring, NOW, issueSessionToken(ring, sid))).toBe(false);
  expect(verifySessionToken(ring, sid, issueGuestToken(ring, NOW))).toBe(false);
});

test('a guest token is valid for exactly twelve hours', () => {
  const token = issueGuestToken(ring, NOW);
  expect(verifyGuestToken(ring, NOW + TWELVE_HOURS, token)).toBe(true);
  expect(verifyGuestToken(ring, NOW + TWELVE_HOURS + 1, token)).toBe(false);
});

test('a guest token of a node whose clock is ahead is valid', () => {
  expect(verifyGuestToken(ring, NOW - 600, issueGuestToken(ring, NOW))).toBe(true);
});

test('the layout is the documented one', () => {
  const session = Buffer.from(issueSessionToken(ring, sid).slice(1), 'base64url');
  const random = session.subarray(0, 16);
  const csrfKey = ring.current.forPurpose.csrf;
  expect(session.subarray(16)).toEqual(hmac(csrfKey, Buffer.concat([Buffer.from('s'), sid, random])));

  const guest = Buffer.from(issueGuestToken(ring, NOW + 0.9).slice(1), 'base64url');
  expect(guest.readBigUInt64BE(16)).toBe(BigInt(NOW));
  expect(guest.subarray(24)).toEqual(hmac(csrfKey, Buffer.concat([Buffer.from('g'), guest.subarray(0, 24)])));
});

test('an invented token is invalid and throws nothing', () => {
  expect(verifiesAsAny(undefined)).toBe(false);
  expect(verifiesAsAny('s'.repeat(60_000))).toBe(false);
  fc.assert(fc.property(fc.string({ unit: anyCodeUnit }), (text) => !verifiesAsAny(text)));
  const bytes = fc.uint8Array({ minLength: 48, maxLength: 56 }).map((made) => Buffer.from(made).toString('base64url'));
  const shaped = fc.tuple(fc.constantFrom('s', 'g'), bytes).map(([letter, text]) => letter + text);
  fc.assert(fc.property(shaped, (text) => !verifiesAsAny(text)));
});
