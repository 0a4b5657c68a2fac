import { hkdf, randomBytes, sha256Hex } from './crypto.ts';

const KEY_BYTES = 32;
const MIN_DISTINCT_BYTES = 16;
const KID_HEX_DIGITS = 12;

export type KeyPurpose = 'session' | 'csrf' | 'device' | 'flow' | 'secrets' | 'doctor';

export interface RingKey {
  /** Public short id, 12 hex digits. */
  kid: string;
  /** One independent 32-byte key per purpose; the key itself is used for nothing else. */
  forPurpose: Readonly<Record<KeyPurpose, Buffer>>;
}

export interface KeyRing {
  /** The key that seals and opens. */
  current: RingKey;
  /** All keys that open, the current one first. */
  all: readonly RingKey[];
}

/**
 * Reads an application key: 32 bytes of standard base64 with at least 16 distinct bytes. Throws an Error with the
 * reason but without the key.
 */
export function parseKey(base64: string): Buffer {
  const key = Buffer.from(base64, 'base64');
  if (key.length !== KEY_BYTES || key.toString('base64') !== base64) {
    throw new Error('must be 32 random bytes in base64 (44 characters)');
  }
  if (new Set(key).size < MIN_DISTINCT_BYTES) {
    throw new Error('is not random: fewer than 16 distinct bytes');
  }
  return key;
}

/** A new application key in the form `parseKey` reads. */
export function generateKey(): string {
  const key = randomBytes(KEY_BYTES);
  return new Set(key).size < MIN_DISTINCT_BYTES ? generateKey() : key.toString('base64');
}

/** The ring in which `current` seals, and `current` and `previous` open. */
export function keyRing(current: Buffer, previous: readonly Buffer[] = []): KeyRing {
  const key = ringKey(current);
  return { current: key, all: [key, ...previous.map(ringKey).filter(({ kid }) => kid !== key.kid)] };
}

/** The key with this id, if the ring holds it. */
export function keyById(ring: KeyRing, kid: string): RingKey | undefined {
  return ring.all.find((key) => key.kid === kid);
}

function ringKey(key: Buffer): RingKey {
  return {
    kid: sha256Hex(Buffer.concat([Buffer.from('tenure kid '), key])).slice(0, KID_HEX_DIGITS),
    forPurpose: {
      session: purposeKey(key, 'session'),
      csrf: purposeKey(key, 'csrf'),
      device: purposeKey(key, 'device'),
      flow: purposeKey(key, 'flow'),
      secrets: purposeKey(key, 'secrets'),
      doctor: purposeKey(key, 'doctor'),
    },
  };
}

function purposeKey(key: Buffer, purpose: KeyPurpose): Buffer {
  return hkdf(key, new Uint8Array(), `tenure ${purpose}`, KEY_BYTES);
}
