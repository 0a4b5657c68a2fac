import { crc32 } from 'node:zlib';
import { randomInteger, sha256Hex } from './crypto.ts';

/** Kinds of tokens by prefix, which lets secret scanners recognise them. */
export const tokenPrefixes = { personal: 'tnrp', service: 'tnrs', provisioning: 'tnrc' } as const;
export type TokenKind = keyof typeof tokenPrefixes;

/** The same with calendar addresses, which open nothing else. */
const prefixes = { ...tokenPrefixes, calendar: 'tnrf' } as const;
type SecretKind = keyof typeof prefixes;

/** Finds tokens and calendar addresses in any text. */
export const tokenPattern = /\btnr[pscf]_[0-9A-Za-z]{49}\b/;

const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
/** 62^43 is a little more than 2^256. */
const randomLength = 43;
const checksumLength = 6;

/** CRC-32 in base 62, at most six digits. */
function checksumOf(text: string): string {
  let rest = crc32(text);
  let written = '';
  for (let place = 0; place < checksumLength; place += 1) {
    written = (digits[rest % digits.length] ?? '') + written;
    rest = Math.floor(rest / digits.length);
  }
  return written;
}

/** A new token of a kind: prefix, 43 random base-62 digits and the checksum of both. */
export function newToken(kind: SecretKind): string {
  const random = Array.from({ length: randomLength }, () => digits[randomInteger(digits.length)]).join('');
  const begun = `${prefixes[kind]}_${random}`;
  return begun + checksumOf(begun);
}

/** The kind of a text in token form, by prefix and checksum; null for anything else. */
export function kindOfToken(text: string): SecretKind | null {
  const [prefix] = text.split('_', 1);
  const found = Object.entries(prefixes).find(([, known]) => known === prefix);
  if (!found || !/^\w{4}_[0-9A-Za-z]{49}$/.test(text)) return null;
  return checksumOf(text.slice(0, -checksumLength)) === text.slice(-checksumLength) ? (found[0] as SecretKind) : null;
}

/** The stored form of a token: a slow hash would add nothing to 256 random bits. */
export const tokenHash = (token: string): string => sha256Hex(token);
/** Its last characters, by which people recognise it. */
export const tokenHint = (token: string): string => token.slice(-4);
