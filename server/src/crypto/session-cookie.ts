import { decrypt, encrypt, fromBase64url, hkdf, randomBytes } from './crypto.ts';
import type { SealingKey } from './crypto.ts';
import { keyById } from './keys.ts';
import type { KeyRing, RingKey } from './keys.ts';

const VERSION = '1';
const SALT_BYTES = 16;
const SID_BYTES = 16;
const CONTENT_BYTES = SID_BYTES + 3 * 8;
const SEALED_BYTES = SALT_BYTES + CONTENT_BYTES + 16;
const MAX_COOKIE_BYTES = 1024;
const SHAPE = /^1\.([0-9a-f]{12})\.([A-Za-z0-9_-]{96})$/;

/** Where a cookie belongs: sealed for one name and one host, it opens under no other. */
export interface CookiePlace {
  cookieName: string;
  /** Host (and port, if any) of `APP_URL`. */
  host: string;
}

export interface SessionContent {
  /** 16 random bytes. */
  sid: Buffer;
  uid: number;
  /** Database time in seconds since 1970. */
  iat: number;
  /** Database time in seconds since 1970, judged by the session query and not here. */
  exp: number;
}

export interface OpenedSession extends SessionContent {
  /** Sealed under an older key: to be sealed again. */
  stale: boolean;
}

/** A fresh session id. */
export function newSessionId(): Buffer {
  return randomBytes(SID_BYTES);
}

/** Seals the content as `1.<kid>.<base64url(salt ‖ ciphertext ‖ tag)>`. Throws when the cookie would pass 1,024 bytes. */
export function sealSession(ring: KeyRing, place: CookiePlace, content: SessionContent): string {
  const salt = randomBytes(SALT_BYTES);
  const key = ring.current;
  const ciphertext = encrypt(sealingKey(key, salt), pack(content), context(place, key));
  const value = `${VERSION}.${key.kid}.${Buffer.concat([salt, ciphertext]).toString('base64url')}`;
  if (Buffer.byteLength(place.cookieName) + value.length > MAX_COOKIE_BYTES) {
    throw new Error('The session cookie is larger than 1,024 bytes');
  }
  return value;
}

/** The content of an authentic cookie; null for every other value, whatever is wrong with it. Never throws. */
export function openSession(ring: KeyRing, place: CookiePlace, value: string | undefined): OpenedSession | null {
  const [, kid, text] = SHAPE.exec(value ?? '') ?? [];
  if (kid === undefined || text === undefined) return null;
  const key = keyById(ring, kid);
  const sealed = fromBase64url(text, SEALED_BYTES);
  if (!key || !sealed) return null;
  const salt = sealed.subarray(0, SALT_BYTES);
  const content = decrypt(sealingKey(key, salt), sealed.subarray(SALT_BYTES), context(place, key));
  return content && { ...unpack(content), stale: key.kid !== ring.current.kid };
}

// Key and nonce come from a fresh salt, so no pair repeats and no counter of seals is needed.
function sealingKey(key: RingKey, salt: Uint8Array): SealingKey {
  const bytes = hkdf(key.forPurpose.session, salt, 'tenure session seal', 44);
  return { key: bytes.subarray(0, 32), nonce: bytes.subarray(32) };
}

function context({ cookieName, host }: CookiePlace, key: RingKey): string {
  return JSON.stringify([VERSION, 'session', cookieName, key.kid, host]);
}

function pack({ sid, uid, iat, exp }: SessionContent): Buffer {
  if (sid.length !== SID_BYTES) throw new Error('A session id has 16 bytes');
  const bytes = Buffer.alloc(CONTENT_BYTES);
  bytes.set(sid);
  // Doubles, because a database time may carry fractions of a second.
  [uid, iat, exp].forEach((number, index) => bytes.writeDoubleBE(number, SID_BYTES + 8 * index));
  return bytes;
}

function unpack(bytes: Buffer): SessionContent {
  return {
    sid: bytes.subarray(0, SID_BYTES),
    uid: bytes.readDoubleBE(SID_BYTES),
    iat: bytes.readDoubleBE(SID_BYTES + 8),
    exp: bytes.readDoubleBE(SID_BYTES + 16),
  };
}
