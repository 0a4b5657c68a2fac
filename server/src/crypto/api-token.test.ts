import { expect, test } from 'vitest';
import { kindOfToken, newToken, tokenHint, tokenPattern } from './api-token.ts';
import type { TokenKind } from './api-token.ts';

const kinds: TokenKind[] = ['personal', 'service', 'provisioning'];

test('a token says its kind, passes its checksum and is found by the printed rule', () => {
  for (const kind of kinds) {
    const token = newToken(kind);
    expect(token).toMatch(/^tnr[psc]_[0-9A-Za-z]{49}$/);
    expect(kindOfToken(token)).toBe(kind);
    expect(`curl -H "Authorization: Bearer ${token}"`).toMatch(tokenPattern);
    expect(token.endsWith(tokenHint(token))).toBe(true);
  }
});

test('a token with any other digit is none', () => {
  const token = newToken('personal');
  for (let place = 0; place < token.length; place += 1) {
    const other = token[place] === 'a' ? 'b' : 'a';
    expect(kindOfToken(token.slice(0, place) + other + token.slice(place + 1))).toBeNull();
  }
});

test.each(['', 'tnrp_', 'tnrp', `tnrx_${'a'.repeat(49)}`, ` ${newToken('personal')}`, `${newToken('service')}\n`])(
  '%j is no token',
  (text) => expect(kindOfToken(text)).toBeNull(),
);

test('the checksum is the one that other tools compute', () => {
  // python3: zlib.crc32(b'tnrp_' + b'0' * 43) in base 62
  const known = `tnrp_${'0'.repeat(43)}`;
  expect(kindOfToken(`${known}3YaC23`)).toBe('personal');
});
