import { equal, hmac } from './crypto.ts';
import { keyById } from './keys.ts';
import type { KeyRing, RingKey } from './keys.ts';

/** A request of the doctor, which has no session: it proves that it knows the key of the service. */

/** The machines of doctor and service may tell different times, and a probe that was seen is of no use for long. */
const validSeconds = 120;

const proofOf = (key: RingKey, seconds: number) => hmac(key.forPurpose.doctor, `probe ${seconds}`).toString('hex');

/** What the doctor sends at a time in milliseconds since 1970: `<kid>.<seconds>.<HMAC-SHA-256>`. */
export function signProbe({ current }: KeyRing, now: number): string {
  const seconds = Math.floor(now / 1_000);
  return `${current.kid}.${seconds}.${proofOf(current, seconds)}`;
}

/** Whether a text was signed with a key of the ring at most two minutes from now. Never throws. */
export function isProbe(ring: KeyRing, text: unknown, now: number): boolean {
  if (typeof text !== 'string') return false;
  const [, kid = '', digits = '', proof] = /^([0-9a-f]{12})\.([1-9][0-9]{0,11})\.([0-9a-f]{64})$/.exec(text) ?? [];
  const key = keyById(ring, kid);
  const seconds = Number(digits);
  return key !== undefined && Math.abs(now / 1_000 - seconds) <= validSeconds && equal(proof, proofOf(key, seconds));
}
