import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { randomBytes } from './crypto.ts';
import { keyRing } from './keys.ts';
import { openSecret, sealSecret } from './sealed-column.ts';
import { openSession } from './session-cookie.ts';

const [a, b] = [randomBytes(32), randomBytes(32)];
const place = { table: 'authenticators', column: 'secret', id: 7 };
const secret = Buffer.from('JBSWY3DPEHPK3PXP');

describe('a sealed secret', () => {
  test('opens at its place, of any length, and never seals alike twice', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
        const sealed = sealSecret(keyRing(a), place, bytes);
        expect(openSecret(keyRing(a), place, sealed)).toEqual({ plain: Buffer.from(bytes), stale: false });
        expect(sealSecret(keyRing(a), place, bytes)).not.toBe(sealed);
      }),
    );
  });

  test.each([
    ['another row', { id: 8 }],
    ['another column', { column: 'private_key' }],
    ['another table', { table: 'webhooks' }],
  ])('does not open at %s', (_, other) => {
    const sealed = sealSecret(keyRing(a), place, secret);
    expect(openSecret(keyRing(a), place, sealed)).not.toBeNull();
    expect(openSecret(keyRing(a), { ...place, ...other }, sealed)).toBeNull();
  });

  test('opens under a previous key as stale, and under no other key', () => {
    const sealed = sealSecret(keyRing(a), place, secret);
    expect(openSecret(keyRing(b, [a]), place, sealed)).toEqual({ plain: secret, stale: true });
    expect(openSecret(keyRing(b), place, sealed)).toBeNull();
  });

  test('does not open with a character changed, added or cut off, and is no session cookie', () => {
    const ring = keyRing(a);
    const sealed = sealSecret(ring, place, randomBytes(40));
    for (let index = 0; index < sealed.length; index += 1) {
      const changed = `${sealed.slice(0, index)}${sealed[index] === 'A' ? 'B' : 'A'}${sealed.slice(index + 1)}`;
      expect(openSecret(ring, place, changed)).toBeNull();
      expect(openSecret(ring, place, sealed.slice(0, index))).toBeNull();
    }
    for (const other of [`${sealed}A`, `${sealed}=`, '', '1.', `2${sealed.slice(1)}`])
      expect(openSecret(ring, place, other)).toBeNull();
    expect(openSession(ring, { cookieName: 'tenure_session', host: 'localhost' }, sealed)).toBeNull();
  });
});
