import { createHmac } from 'node:crypto';
import { toBase32 } from './base32.ts';
import { equal, randomBytes } from './crypto.ts';

/** Time-based one-time passwords (RFC 6238) in the variant that all apps support: HMAC-SHA-1, 6 digits, 30 seconds. */

const SEED_BYTES = 20;
const STEP_SECONDS = 30;
const DIGITS = 6;

export const newTotpSeed = (): Buffer => randomBytes(SEED_BYTES);

/** The code of a time step (RFC 4226, 5.3). */
export function totpCode(seed: Uint8Array, step: number, digits = DIGITS): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const mac = createHmac('sha1', seed).update(counter).digest();
  const number = mac.readUInt32BE((mac.at(-1) as number) & 0xf) & 0x7f_ff_ff_ff;
  return String(number % 10 ** digits).padStart(digits, '0');
}

/** The time step of a code, if at most one step of 30 seconds from `seconds` (Unix time); otherwise null. */
export function stepOfCode(seed: Uint8Array, code: string, seconds: number): number | null {
  const now = Math.floor(seconds / STEP_SECONDS);
  return [now, now - 1, now + 1].find((step) => equal(totpCode(seed, step), code)) ?? null;
}

/** The URI that an app reads from a QR code: the seed with the names of service and account. */
export function totpAddress(seed: Uint8Array, issuer: string, account: string): string {
  const label = `${encodeURIComponent(issuer)}:${encodeURIComponent(account)}`;
  const kind = `algorithm=SHA1&digits=${DIGITS}&period=${STEP_SECONDS}`;
  return `otpauth://totp/${label}?secret=${toBase32(seed)}&issuer=${encodeURIComponent(issuer)}&${kind}`;
}
