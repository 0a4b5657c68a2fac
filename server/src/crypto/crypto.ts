import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createHmac,
  createPrivateKey,
  createPublicKey,
  hash,
  hkdfSync,
  randomBytes as nodeRandomBytes,
  randomInt,
  randomUUID,
  sign,
  timingSafeEqual,
} from 'node:crypto';
import type { Hash } from 'node:crypto';

const TAG_BYTES = 16;

/** `count` bytes from the operating system's CSPRNG. */
export function randomBytes(count: number): Buffer {
  return nodeRandomBytes(count);
}

/** `bytes` random bytes as base64url without padding: safe in URLs, cookies and file names. */
export function randomToken(bytes: number): string {
  return nodeRandomBytes(bytes).toString('base64url');
}

/** A random UUID (version 4). */
export function randomId(): string {
  return randomUUID();
}

/** An unbiased random integer in `0 … below - 1`. */
export function randomInteger(below: number): number {
  return randomInt(below);
}

/** SHA-256 of bytes or of the UTF-8 form of a text: 32 bytes. */
export function sha256(data: string | Uint8Array): Buffer {
  return createHash('sha256').update(data).digest();
}

/** SHA-512 of the UTF-8 form of a text: 64 bytes. */
export function sha512(data: string): Buffer {
  return createHash('sha512').update(data).digest();
}

/** SHA-256 as 64 lower-case hex digits. */
export function sha256Hex(data: string | Uint8Array): string {
  return hash('sha256', data, 'hex');
}

/** An incremental SHA-256 for streamed content: `update(chunk)` for each chunk, then `digest('hex')` once. */
export function startSha256(): Hash {
  return createHash('sha256');
}

/** HMAC of `data`, with SHA-256 unless said otherwise. */
export function hmac(key: Uint8Array, data: string | Uint8Array, algorithm: 'sha256' | 'sha384' = 'sha256'): Buffer {
  return createHmac(algorithm, key).update(data).digest();
}

/** HKDF-SHA-256 (RFC 5869): `length` bytes derived from `key`. */
export function hkdf(key: Uint8Array, salt: Uint8Array, info: string, length: number): Buffer {
  return Buffer.from(hkdfSync('sha256', key, salt, info, length));
}

type Comparable = string | Uint8Array | null | undefined;

/** Constant-time equality of two secrets. A missing or empty value equals nothing, not even another one. */
export function equal(a: Comparable, b: Comparable): boolean {
  if (!a || !b) return false;
  const left = Buffer.from(a);
  const right = Buffer.from(b);
  return left.length > 0 && left.length === right.length && timingSafeEqual(left, right);
}

/** The bytes behind unpadded base64url, or null unless `text` is the one canonical spelling of exactly `length` bytes. */
export function fromBase64url(text: string, length: number): Buffer | null {
  const bytes = Buffer.from(text, 'base64url');
  return bytes.length === length && bytes.toString('base64url') === text ? bytes : null;
}

/** A 32-byte key and a 12-byte nonce for AES-256-GCM; a pair must never seal twice. */
export interface SealingKey {
  key: Uint8Array;
  nonce: Uint8Array;
}

/** AES-256-GCM: ciphertext ‖ 16-byte tag. `context` is authenticated, not stored. */
export function encrypt({ key, nonce }: SealingKey, plain: Uint8Array, context: string): Buffer {
  const cipher = createCipheriv('aes-256-gcm', key, nonce);
  cipher.setAAD(Buffer.from(context));
  return Buffer.concat([cipher.update(plain), cipher.final(), cipher.getAuthTag()]);
}

/** Opens what `encrypt` sealed; null when a bit of it, the key or the context differs. */
export function decrypt({ key, nonce }: SealingKey, sealed: Uint8Array, context: string): Buffer | null {
  if (sealed.length < TAG_BYTES) return null;
  const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG_BYTES });
  decipher.setAAD(Buffer.from(context));
  decipher.setAuthTag(sealed.subarray(-TAG_BYTES));
  const plain = decipher.update(sealed.subarray(0, -TAG_BYTES));
  try {
    return Buffer.concat([plain, decipher.final()]);
  } catch {
    return null;
  }
}

/** The PKCS #8 form of an Ed25519 key up to its seed. */
const beforeSeed = Buffer.from('302e020100300506032b657004220420', 'hex');
const ed25519Key = (seed: Uint8Array) =>
  createPrivateKey({ key: Buffer.concat([beforeSeed, seed]), format: 'der', type: 'pkcs8' });

/** The public key of the key pair with this 32-byte seed. */
export function ed25519PublicKey(seed: Uint8Array): Buffer {
  return createPublicKey(ed25519Key(seed)).export({ format: 'der', type: 'spki' }).subarray(-32);
}

/** The Ed25519 signature by the key pair with this seed. */
export function signEd25519(seed: Uint8Array, data: string): Buffer {
  return sign(null, Buffer.from(data), ed25519Key(seed));
}
