import { fromBase64url, hmac, randomBytes } from './crypto.ts';

/*
 * A stored password is one text: the 60 characters of bcrypt, and for a password of more than 72 bytes
 * (all that bcrypt reads) `$` and 22 characters of base64url, the key k of base64(HMAC-SHA-384(k, password)),
 * which is what bcrypt then hashed.
 */
const STORED = /^(\$2[aby]\$(\d\d)\$[./A-Za-z0-9]{22})([./A-Za-z0-9]{31})(?:\$([A-Za-z0-9_-]{22}))?$/;
const BCRYPT_BYTES = 72;
const LONG_KEY_BYTES = 16;
const MAX_PASSWORD_BYTES = 1024;

export interface StoredPassword {
  /** bcrypt's setting: version, cost and salt. */
  setting: string;
  digest: string;
  cost: number;
  longKey: Buffer | null;
}

/** The parts of a stored password (`$2a$`, `$2b$` or `$2y$`), or null for any other text. */
export function parseStoredPassword(stored: string): StoredPassword | null {
  const [, setting, cost, digest, key] = STORED.exec(stored) ?? [];
  if (setting === undefined || digest === undefined) return null;
  const longKey = key === undefined ? null : fromBase64url(key, LONG_KEY_BYTES);
  if (key !== undefined && longKey === null) return null;
  // $2y$ is another name for $2b$ that the native library does not know
  return { setting: setting.replace('$2y$', '$2b$'), digest, cost: Number(cost), longKey };
}

/** The text to store for bcrypt's hash of `bcryptInput(password, longKey)`. */
export function formatStoredPassword(hash: string, longKey: Buffer | null): string {
  return longKey ? `${hash}$${longKey.toString('base64url')}` : hash;
}

/** True when a stored password needs a rehash at the next successful sign-in: its cost is below `cost`. */
export function needsRehash(stored: string, cost: number): boolean {
  const parsed = parseStoredPassword(stored);
  return parsed === null || parsed.cost < cost;
}

/** True when the password exceeds 1,024 bytes of UTF-8 in NFC; such a password is neither stored nor correct. */
export function isPasswordTooLong(password: string): boolean {
  return byteLength(password) > MAX_PASSWORD_BYTES;
}

/** True when bcrypt alone would truncate the password. */
export function isLongPassword(password: string): boolean {
  return byteLength(password) > BCRYPT_BYTES;
}

/** A new key for a password that bcrypt alone would truncate, null for any other. */
export function newLongKey(password: string): Buffer | null {
  return isLongPassword(password) ? randomBytes(LONG_KEY_BYTES) : null;
}

/** The input of bcrypt: the password in NFC, or its keyed digest when it has a key. */
export function bcryptInput(password: string, longKey: Buffer | null): string {
  const normal = password.normalize('NFC');
  return longKey ? hmac(longKey, normal, 'sha384').toString('base64') : normal;
}

function byteLength(password: string): number {
  return Buffer.byteLength(password.normalize('NFC'));
}
