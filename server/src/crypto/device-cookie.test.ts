import { expect, test } from 'vitest';
import { randomBytes } from './crypto.ts';
import { newDeviceId, openDevice, sealDevice } from './device-cookie.ts';
import { keyRing } from './keys.ts';
import { newSessionId, sealSession } from './session-cookie.ts';

const scope = { cookieName: 'tenure_device', host: 'hr.example.com' };
const [a, b] = [randomBytes(32), randomBytes(32)];
const ring = keyRing(a);
const device = newDeviceId();

test('a sealed device id opens unchanged, also under an earlier key, and is sealed differently each time', () => {
  const cookies = Array.from({ length: 50 }, () => sealDevice(ring, scope, device));
  expect(new Set(cookies).size).toBe(50);
  for (const cookie of cookies) expect(openDevice(keyRing(b, [a]), scope, cookie)).toEqual(device);
});

test('does not open with another key, name, host or purpose, or with a changed character', () => {
  const cookie = sealDevice(ring, scope, device);
  expect(openDevice(keyRing(b), scope, cookie)).toBeNull();
  expect(openDevice(ring, { ...scope, cookieName: 'tenure_session' }, cookie)).toBeNull();
  expect(openDevice(ring, { ...scope, host: 'people.example.com' }, cookie)).toBeNull();
  const session = sealSession(ring, scope, { sid: newSessionId(), uid: 1, iat: 1, exp: 2 });
  expect(openDevice(ring, scope, session)).toBeNull();
  for (let index = 0; index < cookie.length; index += 1) {
    const other = cookie[index] === 'A' ? 'B' : 'A';
    expect(openDevice(ring, scope, cookie.slice(0, index) + other + cookie.slice(index + 1))).toBeNull();
    expect(openDevice(ring, scope, cookie.slice(0, index))).toBeNull();
  }
  expect(openDevice(ring, scope, undefined)).toBeNull();
});
