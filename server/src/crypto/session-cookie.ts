import { randomBytes } from './crypto.ts';
import type { KeyRing } from './keys.ts';
import { open, seal } from './sealed-text.ts';
import type { CookieScope } from './sealed-text.ts';

const SID_BYTES = 16;
const CONTENT_BYTES = SID_BYTES + 3 * 8;

export interface SessionContent {
  /** 16 random bytes. */
  sid: Buffer;
  uid: number;
  /** Database time in seconds since 1970. */
  iat: number;
  /** Database time in seconds since 1970, checked by the session query. */
  exp: number;
}

export interface OpenedSession extends SessionContent {
  /** Sealed under an older key and due for resealing. */
  stale: boolean;
}

const sealOf = (scope: CookieScope) => ({ purpose: 'session', scope, bytes: CONTENT_BYTES }) as const;

/** A fresh session id. */
export function newSessionId(): Buffer {
  return randomBytes(SID_BYTES);
}

/** The cookie of a session. Throws if it would exceed 1,024 bytes. */
export function sealSession(ring: KeyRing, scope: CookieScope, content: SessionContent): string {
  return seal(ring, sealOf(scope), pack(content));
}

/** The content of an authentic cookie; null for every other value. Never throws. */
export function openSession(ring: KeyRing, scope: CookieScope, value: string | undefined): OpenedSession | null {
  const opened = open(ring, sealOf(scope), value);
  return opened && { ...unpack(opened.plain), stale: opened.stale };
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
