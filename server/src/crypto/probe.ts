import { equal, hmac } from './crypto.ts';
import { keyById } from './keys.ts';
import type { KeyRing, RingKey } from './keys.ts';

/** Authenticates a request of the doctor, which has no session, by a signature with the service's key. */

/** Allows for the clocks of doctor and service to differ, yet an intercepted probe soon expires. */
const validSeconds = 120;

const proofOf = (key: RingKey, seconds: number) => hmac(key.forPurpose.doctor, `probe ${seconds}`).toString('hex');

/** What the doctor sends, given a time in milliseconds since 1970: `<kid>.<seconds>.<HMAC-SHA-256>`. */
export function signProbe({ current }: KeyRing, now: number): string {
  const seconds = Math.floor(now / 1_000);
  return `${current.kid}.${seconds}.${proofOf(current, seconds)}`;
}

/** Whether a text was signed with a key of the ring within two minutes of now. Never throws. */
export function isProbe(ring: KeyRing, text: unknown, now: number): boolean {
  if (typeof text !== 'string') return false;
  const [, kid = '', digits = '', proof] = /^([0-9a-f]{12})\.([1-9][0-9]{0,11})\.([0-9a-f]{64})$/.exec(text) ?? [];
  const key = keyById(ring, kid);
  const seconds = Number(digits);
  return key !== undefined && Math.abs(now / 1_000 - seconds) <= validSeconds && equal(proof, proofOf(key, seconds));
}
