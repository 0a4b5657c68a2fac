import { decrypt, encrypt, fromBase64url, hkdf, randomBytes } from './crypto.ts';
import type { SealingKey } from './crypto.ts';
import { keyById } from './keys.ts';
import type { KeyPurpose, KeyRing, RingKey } from './keys.ts';

const VERSION = '1';
const SALT_BYTES = 16;
const MAX_COOKIE_BYTES = 1024;
const SHAPE = /^1\.([0-9a-f]{12})\.([A-Za-z0-9_-]+)$/;

/** The name and host of a cookie. A cookie sealed for one opens under no other. */
export interface CookieScope {
  cookieName: string;
  /** Host (and port, if any) of `APP_URL`. */
  host: string;
}

/** What is sealed: content for one purpose and place, always of the same length. */
export type Seal = { purpose: KeyPurpose; scope: CookieScope; bytes: number };

/** Seals as `1.<kid>.<base64url(salt ‖ ciphertext ‖ tag)>`. Throws if the cookie would exceed 1,024 bytes. */
export function seal(ring: KeyRing, { purpose, scope }: Seal, plain: Uint8Array): string {
  const value = sealText(ring, purpose, cookieContext(purpose, scope), plain);
  if (Buffer.byteLength(scope.cookieName) + value.length > MAX_COOKIE_BYTES) {
    throw new Error(`The ${purpose} cookie is larger than 1,024 bytes`);
  }
  return value;
}

/** The content of an authentic cookie; null for every other value. Never throws. */
export function open(ring: KeyRing, { purpose, scope, bytes }: Seal, value: string | undefined): Opened | null {
  const opened = openText(ring, purpose, cookieContext(purpose, scope), value);
  return opened?.plain.length === bytes ? opened : null;
}

const cookieContext =
  (purpose: KeyPurpose, { cookieName, host }: CookieScope): Context =>
  (kid) => [VERSION, purpose, cookieName, kid, host];

/** What is authenticated together with the text but not stored; includes the key's id. */
export type Context = (kid: string) => readonly (string | number)[];

/** `stale`: sealed under an older key and due for resealing. */
export type Opened = { plain: Buffer; stale: boolean };

/** Seals bytes of any length for one purpose and context under the current key. */
export function sealText(ring: KeyRing, purpose: KeyPurpose, context: Context, plain: Uint8Array): string {
  const salt = randomBytes(SALT_BYTES);
  const key = ring.current;
  const ciphertext = encrypt(sealingKey(key, purpose, salt), plain, JSON.stringify(context(key.kid)));
  return `${VERSION}.${key.kid}.${Buffer.concat([salt, ciphertext]).toString('base64url')}`;
}

/** Opens what `sealText` sealed for the same purpose and context; null for every other value. Never throws. */
export function openText(
  ring: KeyRing,
  purpose: KeyPurpose,
  context: Context,
  value: string | undefined,
): Opened | null {
  const [, kid, text] = SHAPE.exec(value ?? '') ?? [];
  if (kid === undefined || text === undefined) return null;
  const key = keyById(ring, kid);
  const sealed = fromBase64url(text, Math.floor((text.length * 3) / 4));
  if (!key || !sealed) return null;
  const salt = sealed.subarray(0, SALT_BYTES);
  const plain = decrypt(sealingKey(key, purpose, salt), sealed.subarray(SALT_BYTES), JSON.stringify(context(kid)));
  return plain && { plain, stale: kid !== ring.current.kid };
}

// Key and nonce come from a random salt, so no pair repeats and no counter is needed.
function sealingKey(key: RingKey, purpose: KeyPurpose, salt: Uint8Array): SealingKey {
  const bytes = hkdf(key.forPurpose[purpose], salt, `tenure ${purpose} seal`, 44);
  return { key: bytes.subarray(0, 32), nonce: bytes.subarray(32) };
}
