import fc from 'fast-check';
import { Secret, TOTP, URI } from 'otpauth';
import { describe, expect, test } from 'vitest';
import { toBase32 } from './base32.ts';
import { newRecoveryCodes, recoveryHash } from './recovery-codes.ts';
import { newTotpSeed, stepOfCode, totpAddress, totpCode } from './totp.ts';

/** Appendix B of RFC 6238, SHA-1: seconds since 1970 and the code of eight digits. */
const vectors = [
  [59, '94287082'],
  [1_111_111_109, '07081804'],
  [1_111_111_111, '14050471'],
  [1_234_567_890, '89005924'],
  [2_000_000_000, '69279037'],
  [20_000_000_000, '65353130'],
] as const;
const rfcSeed = Buffer.from('12345678901234567890');

describe('codes', () => {
  test.each(vectors)('at %i it is %s', (seconds, code) => {
    expect(totpCode(rfcSeed, Math.floor(seconds / 30), 8)).toBe(code);
    expect(stepOfCode(rfcSeed, code.slice(2), seconds)).toBe(Math.floor(seconds / 30));
  });

  test('are those of a second implementation', () => {
    fc.assert(
      fc.property(
        fc.uint8Array({ minLength: 20, maxLength: 20 }),
        fc.integer({ min: 0, max: 4e9 }),
        (seed, seconds) => {
          const other = new TOTP({ secret: new Secret({ buffer: seed.slice().buffer }) });
          expect(totpCode(seed, Math.floor(seconds / 30))).toBe(other.generate({ timestamp: seconds * 1_000 }));
        },
      ),
      { numRuns: 500 },
    );
  });

  test('count one step early and late, and not two', () => {
    const seed = newTotpSeed();
    const step = 59_000_000;
    const found = [-2, -1, 0, 1, 2].map((off) => stepOfCode(seed, totpCode(seed, step + off), step * 30 + 29));
    expect(found).toEqual([null, step - 1, step, step + 1, null]);
  });

  test.each(['', '12345', '1234567', '１２３４５６', 'abcdef', '-12345'])('%j is none', (code) => {
    expect(stepOfCode(newTotpSeed(), code, 1_800_000_000)).toBeNull();
  });
});

test('an app reads from the address what the service stores', () => {
  const seed = newTotpSeed();
  const read = URI.parse(totpAddress(seed, 'Häuser & Söhne', 'a+b:c@acme.example')) as TOTP;
  expect(Buffer.from(read.secret.bytes)).toEqual(seed);
  expect([read.issuer, read.label, read.algorithm, read.digits, read.period]).toEqual([
    'Häuser & Söhne',
    'a+b:c@acme.example',
    'SHA1',
    6,
    30,
  ]);
});

test('base32 is that of a second implementation, for each length', () => {
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 1, maxLength: 40 }), (bytes) => {
      expect(toBase32(bytes)).toBe(new Secret({ buffer: bytes.slice().buffer }).base32);
    }),
  );
});

test('recovery codes are ten different ones of 80 bits, and count however they are typed', () => {
  const codes = newRecoveryCodes();
  expect(new Set(codes).size).toBe(10);
  for (const code of codes) {
    expect(code).toMatch(/^([A-Z2-7]{4}-){3}[A-Z2-7]{4}$/);
    expect(recoveryHash(` ${code.toLowerCase().replaceAll('-', ' ')} `)).toBe(recoveryHash(code));
  }
});
