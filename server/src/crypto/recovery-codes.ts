import { toBase32 } from './base32.ts';
import { randomBytes, sha256Hex } from './crypto.ts';

const CODES = 10;
const CODE_BYTES = 10;

/** Ten codes of 80 random bits, `XXXX-XXXX-XXXX-XXXX`, in letters and digits that are hard to confuse. */
export const newRecoveryCodes = (): string[] =>
  Array.from({ length: CODES }, () => toBase32(randomBytes(CODE_BYTES)).replaceAll(/(.{4})(?!$)/g, '$1-'));

/** How a code is stored, however it was typed: without hyphens and spaces, in any case. */
export const recoveryHash = (code: string): string => sha256Hex(code.replaceAll(/[\s-]/g, '').toUpperCase());
