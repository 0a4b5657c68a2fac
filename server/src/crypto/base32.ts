const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** Bytes in base32 (RFC 4648) without padding: five bits a character. */
export function toBase32(bytes: Uint8Array): string {
  let bits = 0;
  let value = 0;
  let text = '';
  for (const byte of bytes) {
    value = ((value << 8) | byte) & 0xfff;
    for (bits += 8; bits >= 5; bits -= 5) text += ALPHABET[(value >> (bits - 5)) & 31];
  }
  return bits > 0 ? text + ALPHABET[(value << (5 - bits)) & 31] : text;
}
