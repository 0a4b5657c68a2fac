import { createHmac, hkdfSync } from 'node:crypto';
import { expect, test } from 'vitest';
import { generateKey, keyRing, parseKey } from './keys.ts';
import { isProbe, signProbe } from './probe.ts';

const text = generateKey();
const ring = keyRing(parseKey(text));
const now = 1_800_000_000_000;
const probe = signProbe(ring, now);

test('a probe is what an independent computation of its key says', () => {
  const key = Buffer.from(hkdfSync('sha256', Buffer.from(text, 'base64'), new Uint8Array(), 'tenure doctor', 32));
  const proof = createHmac('sha256', key).update('probe 1800000000').digest('hex');
  expect(probe).toBe(`${ring.current.kid}.1800000000.${proof}`);
});

test('a probe is good for two minutes before and after, also under a key of before', () => {
  for (const seconds of [-120, 0, 119]) expect(isProbe(ring, probe, now + seconds * 1_000)).toBe(true);
  for (const seconds of [-121, 121, 86_400]) expect(isProbe(ring, probe, now + seconds * 1_000)).toBe(false);
  expect(isProbe(keyRing(parseKey(generateKey()), [parseKey(text)]), probe, now)).toBe(true);
});

test('nothing else is one: another key, a changed character, another time, what is no text', () => {
  expect(isProbe(keyRing(parseKey(generateKey())), probe, now)).toBe(false);
  for (let at = 0; at < probe.length; at += 1) {
    const changed = probe[at] === '1' ? '2' : '1';
    expect(isProbe(ring, `${probe.slice(0, at)}${changed}${probe.slice(at + 1)}`, now), `${at}`).toBe(false);
  }
  for (const wrong of [undefined, null, '', '..', probe.slice(0, -1), `${probe} `, [probe]])
    expect(isProbe(ring, wrong, now)).toBe(false);
});
