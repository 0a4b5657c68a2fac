import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { randomBytes } from './crypto.ts';
import { keyRing } from './keys.ts';
import type { CookieScope } from './sealed-text.ts';
import { newSessionId, openSession, sealSession } from './session-cookie.ts';
import type { SessionContent } from './session-cookie.ts';

const anyCodeUnit = fc.nat({ max: 0xffff }).map((code) => String.fromCharCode(code));
const SCOPE: CookieScope = { cookieName: '__Host-tenure_session', host: 'hr.example.com' };
const [a, b] = [randomBytes(32), randomBytes(32)];
const ring = keyRing(a);
const content: SessionContent = { sid: newSessionId(), uid: 42, iat: 1_700_000_000, exp: 1_700_043_200 };

function flipBit(text: string, index: number, bit = 0): string {
  const bytes = Buffer.from(text);
  bytes[index] = (bytes[index] ?? 0) ^ (1 << bit);
  return bytes.toString('latin1');
}

describe('a sealed session', () => {
  test('opens unchanged', () => {
    const number = fc.double({ min: 0, max: 1e12, noNaN: true });
    const arbitrary = fc.record({
      sid: fc.uint8Array({ minLength: 16, maxLength: 16 }).map((bytes) => Buffer.from(bytes)),
      uid: fc.maxSafeNat(),
      iat: number,
      exp: number,
    });
    fc.assert(
      fc.property(arbitrary, (session) => {
        expect(openSession(ring, SCOPE, sealSession(ring, SCOPE, session))).toEqual({ ...session, stale: false });
      }),
    );
  });

  test('of an earlier release still opens', () => {
    const counting = keyRing(Buffer.from(Array.from({ length: 32 }, (_, index) => index)));
    const value =
      '1.d9773a7597e5.94j2k90Ws3Jmckb_0pctWWX6OiatLiiONsq0Z7FSmJwYCOTqIe4tP3-ZY8rno_JnfgSNlWGBpO-lhbSDLLkiWM2Dj3QIGDBe';
    expect(openSession(counting, SCOPE, value)).toEqual({
      sid: Buffer.from('00112233445566778899aabbccddeeff', 'hex'),
      uid: 42,
      iat: 1_700_000_000,
      exp: 1_700_043_200,
      stale: false,
    });
  });

  test('is small, needs no percent-encoding, differs each time and shows nothing of the content', () => {
    const values = Array.from({ length: 100 }, () => sealSession(ring, SCOPE, content));
    expect(new Set(values).size).toBe(values.length);
    for (const value of values) {
      expect(value).toMatch(/^[A-Za-z0-9._-]{111}$/);
      expect(Buffer.from(value.slice(15), 'base64url').includes(content.sid)).toBe(false);
    }
  });

  test('fits into 1,024 bytes with its name, or is not made', () => {
    const named = (length: number): CookieScope => ({ ...SCOPE, cookieName: 'n'.repeat(length) });
    expect(sealSession(ring, named(1024 - 111), content)).toHaveLength(111);
    expect(() => sealSession(ring, named(1024 - 110), content)).toThrow('larger than 1,024 bytes');
  });

  test('is not made of a session id of another length', () => {
    expect(() => sealSession(ring, SCOPE, { ...content, sid: randomBytes(15) })).toThrow('16 bytes');
  });
});

describe('a cookie treated as absent', () => {
  const value = sealSession(ring, SCOPE, content);

  test('each bit of each character flipped', () => {
    for (let index = 0; index < value.length; index += 1) {
      for (let bit = 0; bit < 8; bit += 1) expect(openSession(ring, SCOPE, flipBit(value, index, bit))).toBeNull();
    }
    expect(openSession(ring, SCOPE, value)).not.toBeNull();
  });

  test('cut at any position, or longer', () => {
    for (let length = 0; length < value.length; length += 1) {
      expect(openSession(ring, SCOPE, value.slice(0, length))).toBeNull();
    }
    for (const tail of ['A', '=', '\n', ' ', '.x']) expect(openSession(ring, SCOPE, value + tail)).toBeNull();
  });

  test('sealed for another cookie, host, key or purpose', () => {
    const [key] = ring.all;
    if (!key) throw new Error('an empty ring');
    const swapped = {
      ...key,
      forPurpose: { ...key.forPurpose, session: key.forPurpose.csrf, csrf: key.forPurpose.session },
    };
    expect(openSession(ring, { ...SCOPE, cookieName: 'tenure_session' }, value)).toBeNull();
    expect(openSession(ring, { ...SCOPE, host: 'hr.example.org' }, value)).toBeNull();
    expect(openSession(keyRing(b), SCOPE, value)).toBeNull();
    expect(openSession({ current: swapped, all: [swapped] }, SCOPE, value)).toBeNull();
    expect(openSession({ current: key, all: [{ ...keyRing(b).current, kid: key.kid }] }, SCOPE, value)).toBeNull();
  });

  test('of another version or with the id of another known key', () => {
    const both = keyRing(a, [b]);
    const [version, kid, sealed] = value.split('.');
    expect(openSession(both, SCOPE, `1.${kid}.${sealed}`)).not.toBeNull();
    expect(openSession(both, SCOPE, `2.${kid}.${sealed}`)).toBeNull();
    expect(openSession(both, SCOPE, `${version}.${keyRing(b).current.kid}.${sealed}`)).toBeNull();
  });

  test('anything else, without an error', () => {
    expect(openSession(ring, SCOPE, undefined)).toBeNull();
    expect(openSession(ring, SCOPE, 'x'.repeat(60_000))).toBeNull();
    expect(openSession(ring, SCOPE, `1.${ring.current.kid}.${'A'.repeat(60_000)}`)).toBeNull();
    fc.assert(fc.property(fc.string({ unit: anyCodeUnit }), (text) => openSession(ring, SCOPE, text) === null));
    const shaped = fc
      .uint8Array({ minLength: 72, maxLength: 72 })
      .map((bytes) => `1.${ring.current.kid}.${Buffer.from(bytes).toString('base64url')}`);
    fc.assert(fc.property(shaped, (text) => openSession(ring, SCOPE, text) === null));
  });
});

test('rotation [A] → [B, A] → [B]: old cookies open as stale, then not at all', () => {
  const old = sealSession(ring, SCOPE, content);
  const both = keyRing(b, [a]);
  expect(openSession(both, SCOPE, old)).toEqual({ ...content, stale: true });
  const renewed = sealSession(both, SCOPE, content);
  expect(openSession(both, SCOPE, renewed)).toEqual({ ...content, stale: false });
  expect(openSession(keyRing(b), SCOPE, old)).toBeNull();
  expect(openSession(keyRing(b), SCOPE, renewed)).toEqual({ ...content, stale: false });
});
