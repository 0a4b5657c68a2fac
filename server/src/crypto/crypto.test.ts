import { PassThrough } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  decrypt,
  encrypt,
  equal,
  fromBase64url,
  hkdf,
  hmac,
  randomBytes,
  randomId,
  randomInteger,
  randomToken,
  sha256,
  sha256Hex,
  startSha256,
} from './crypto.ts';

const hex = (text: string): Buffer => Buffer.from(text, 'hex');

describe('published vectors', () => {
  test('SHA-256 of FIPS 180-4', () => {
    const digest = 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad';
    expect(sha256Hex('abc')).toBe(digest);
    expect(sha256(Buffer.from('abc')).toString('hex')).toBe(digest);
  });

  test('HMAC of RFC 4231, case 2', () => {
    const key = Buffer.from('Jefe');
    const data = 'what do ya want for nothing?';
    expect(hmac(key, data).toString('hex')).toBe('5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843');
    expect(hmac(key, data, 'sha384').toString('hex')).toBe(
      'af45d2e376484031617f78d2b58a6b1b9c7ef464f5a01b47e42ec3736322445e8e2240ca5e69e2c78b3239ecfab21649',
    );
  });

  test('HKDF of RFC 5869, case 3', () => {
    const derived = hkdf(hex('0b'.repeat(22)), new Uint8Array(), '', 42);
    expect(derived.toString('hex')).toBe(
      '8da4e775a563c18f715f802a063c5a31b8a11f5c5ee1879ec3454e5f3c738d2d9d201395faa4b61a96c8',
    );
  });

  test('AES-256-GCM of the GCM specification, case 16', () => {
    const key = hex('feffe9928665731c6d6a8f9467308308'.repeat(2));
    const nonce = hex('cafebabefacedbaddecaf888');
    const plain = hex('d9313225f88406e5a55909c5aff5269a86a7a9531534f7da2e4c303d8a318a721c3c0c95956809532fcf0e24');
    const sealed = encrypt({ key, nonce }, plain, 'context');
    expect(sealed.subarray(0, 44).toString('hex')).toBe(
      '522dc1f099567d07f47f37a32a84427d643a8cdcbfe5c0c97598a2bd2555d1aa8cb08e48590dbb3da7b08b10',
    );
    expect(decrypt({ key, nonce }, sealed, 'context')).toEqual(plain);
  });
});

test('a streamed hash equals the hash of the whole', async () => {
  const hash = startSha256();
  const content = new PassThrough();
  content.on('data', (chunk: Buffer) => hash.update(chunk));
  await pipeline(['one ', 'two ', 'three'], content);
  expect(hash.digest('hex')).toBe(sha256Hex('one two three'));
});

describe('equal', () => {
  test('a missing or empty value equals nothing, not even another one', () => {
    const nothings = [undefined, null, '', new Uint8Array()];
    for (const nothing of nothings) {
      for (const other of [...nothings, 'x']) {
        expect(equal(nothing, other)).toBe(false);
        expect(equal(other, nothing)).toBe(false);
      }
    }
  });

  test('texts and bytes are equal exactly when their bytes are', () => {
    expect(equal('secret', Buffer.from('secret'))).toBe(true);
    expect(equal('secret', 'secrets')).toBe(false);
    fc.assert(
      fc.property(fc.string({ minLength: 1 }), fc.string(), (a, b) => equal(a, a) && equal(a, b) === (a === b)),
    );
  });
});

describe('base64url', () => {
  test('bytes survive encoding and decoding', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 1 }), (bytes) => {
        expect(fromBase64url(Buffer.from(bytes).toString('base64url'), bytes.length)).toEqual(Buffer.from(bytes));
      }),
    );
  });

  test('only the canonical spelling of the right length is read', () => {
    expect(fromBase64url('AAA', 2)).toEqual(Buffer.from([0, 0]));
    for (const text of ['AAB', 'AAA=', 'AA', 'AAAA', 'A A', 'AA+', '']) expect(fromBase64url(text, 2)).toBeNull();
  });
});

describe('AES-256-GCM', () => {
  const sealing = { key: randomBytes(32), nonce: randomBytes(12) };

  test('any change of the sealed bytes or the context makes it unreadable', () => {
    const sealed = encrypt(sealing, Buffer.from('content'), 'here');
    expect(decrypt(sealing, sealed, 'here')?.toString()).toBe('content');
    expect(decrypt(sealing, sealed, 'there')).toBeNull();
    for (let index = 0; index < sealed.length; index += 1) {
      const changed = Buffer.from(sealed);
      changed[index] = (changed[index] ?? 0) ^ 1;
      expect(decrypt(sealing, changed, 'here')).toBeNull();
      expect(decrypt(sealing, sealed.subarray(0, index), 'here')).toBeNull();
    }
  });
});

describe('randomness', () => {
  test('tokens have the asked number of bytes and do not repeat', () => {
    const tokens = Array.from({ length: 10_000 }, () => randomToken(16));
    expect(new Set(tokens).size).toBe(tokens.length);
    expect(tokens.every((token) => /^[A-Za-z0-9_-]{22}$/.test(token))).toBe(true);
  });

  test('ids are random UUIDs', () => {
    expect(randomId()).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(randomId()).not.toBe(randomId());
  });

  test('random integers reach each value below the bound and none beyond', () => {
    const drawn = new Set(Array.from({ length: 1000 }, () => randomInteger(4)));
    expect(drawn).toEqual(new Set([0, 1, 2, 3]));
  });
});
