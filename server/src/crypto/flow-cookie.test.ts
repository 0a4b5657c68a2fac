import { expect, test } from 'vitest';
import { randomBytes } from './crypto.ts';
import { openFlow, sealFlow } from './flow-cookie.ts';
import { keyRing } from './keys.ts';
import { sealSession, newSessionId } from './session-cookie.ts';

const scope = { cookieName: 'tenure_flow', host: 'hr.example.com' };
const place = { kind: 'second_factor', scope } as const;
const [a, b] = [randomBytes(32), randomBytes(32)];
const ring = keyRing(a);
const flow = { id: 'q3vXo0yH2p1c', user_id: 7, next: '/employees?search=größe' };

test('a flow opens unchanged until its end, also under an earlier key, and is sealed differently each time', () => {
  const cookies = Array.from({ length: 50 }, () => sealFlow(ring, place, flow, 1_000));
  expect(new Set(cookies).size).toBe(50);
  for (const cookie of cookies) {
    expect(cookie).toMatch(/^[A-Za-z0-9._-]+$/);
    expect(openFlow(keyRing(b, [a]), place, cookie, 999)).toEqual({ flow, until: 1_000 });
    expect(openFlow(ring, place, cookie, 1_000)).toBeNull();
  }
});

test('does not open as another kind, with another key, name or host, or with a changed character', () => {
  const cookie = sealFlow(ring, place, flow, 1_000);
  expect(openFlow(keyRing(b), place, cookie, 1)).toBeNull();
  expect(openFlow(ring, { ...place, kind: 'sso' }, cookie, 1)).toBeNull();
  expect(openFlow(ring, { ...place, scope: { ...scope, cookieName: 'tenure_device' } }, cookie, 1)).toBeNull();
  expect(openFlow(ring, { ...place, scope: { ...scope, host: 'people.example.com' } }, cookie, 1)).toBeNull();
  const session = sealSession(ring, scope, { sid: newSessionId(), uid: 1, iat: 1, exp: 2 });
  expect(openFlow(ring, place, session, 1)).toBeNull();
  for (let index = 0; index < cookie.length; index += 1) {
    const other = cookie[index] === 'A' ? 'B' : 'A';
    expect(openFlow(ring, place, cookie.slice(0, index) + other + cookie.slice(index + 1), 1)).toBeNull();
    expect(openFlow(ring, place, cookie.slice(0, index), 1)).toBeNull();
  }
});

test('neither seals nor opens what is too large for a cookie', () => {
  expect(() => sealFlow(ring, place, 'x'.repeat(3_000), 1)).toThrow('larger');
  expect(openFlow(ring, place, `1.${'0'.repeat(12)}.${'A'.repeat(100_000)}`, 1)).toBeNull();
});
