import { equal, fromBase64url, hmac, randomBytes } from './crypto.ts';
import type { KeyRing, RingKey } from './keys.ts';

const RANDOM_BYTES = 16;
const TIME_BYTES = 8;
const MAC_BYTES = 32;
const GUEST_SECONDS = 12 * 60 * 60;

/** A token that is valid only together with the session with this id: `s` and 64 characters. */
export function issueSessionToken(ring: KeyRing, sid: Uint8Array): string {
  const random = randomBytes(RANDOM_BYTES);
  const mac = sessionMac(ring.current, sid, random);
  return `s${Buffer.concat([random, mac]).toString('base64url')}`;
}

/** A token for a visitor without a session: `g` and 75 characters, valid for 12 hours. */
export function issueGuestToken(ring: KeyRing, nowSeconds: number): string {
  const body = Buffer.alloc(RANDOM_BYTES + TIME_BYTES);
  body.set(randomBytes(RANDOM_BYTES));
  body.writeBigUInt64BE(BigInt(Math.floor(nowSeconds)), RANDOM_BYTES);
  return `g${Buffer.concat([body, guestMac(ring.current, body)]).toString('base64url')}`;
}

/** Whether the token was made for the session with this id, under any key of the ring. Never throws. */
export function verifySessionToken(ring: KeyRing, sid: Uint8Array, token: string | undefined): boolean {
  const bytes = tokenBytes(token, 's', RANDOM_BYTES + MAC_BYTES);
  if (!bytes) return false;
  const random = bytes.subarray(0, RANDOM_BYTES);
  const mac = bytes.subarray(RANDOM_BYTES);
  return ring.all.some((key) => equal(mac, sessionMac(key, sid, random)));
}

/**
 * Whether the token is an authentic guest token made at most 12 hours before `nowSeconds`. Never throws. A token from
 * the future passes, because it comes from a node whose clock is ahead.
 */
export function verifyGuestToken(ring: KeyRing, nowSeconds: number, token: string | undefined): boolean {
  const bytes = tokenBytes(token, 'g', RANDOM_BYTES + TIME_BYTES + MAC_BYTES);
  if (!bytes) return false;
  const body = bytes.subarray(0, RANDOM_BYTES + TIME_BYTES);
  const mac = bytes.subarray(RANDOM_BYTES + TIME_BYTES);
  const authentic = ring.all.some((key) => equal(mac, guestMac(key, body)));
  return authentic && nowSeconds - Number(body.readBigUInt64BE(RANDOM_BYTES)) <= GUEST_SECONDS;
}

function tokenBytes(token: string | undefined, letter: 's' | 'g', length: number): Buffer | null {
  return token?.startsWith(letter) ? fromBase64url(token.slice(1), length) : null;
}

function sessionMac(key: RingKey, sid: Uint8Array, random: Uint8Array): Buffer {
  return hmac(key.forPurpose.csrf, Buffer.concat([Buffer.from('s'), sid, random]));
}

function guestMac(key: RingKey, body: Uint8Array): Buffer {
  return hmac(key.forPurpose.csrf, Buffer.concat([Buffer.from('g'), body]));
}
