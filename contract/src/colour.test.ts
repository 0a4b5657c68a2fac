import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  accentsOf,
  accentSheet,
  accentVariables,
  contrast,
  distinguishable,
  grounds,
  isHex,
  readable,
} from './colour.ts';
import type { Hex } from './colour.ts';

const hex = fc.integer({ min: 0, max: 0xffffff }).map((value): Hex => `#${value.toString(16).padStart(6, '0')}`);
const extremes = ['#000000', '#ffffff', '#ffff00', '#00ff00', '#0000ff', '#ff0000', '#00ffff', '#ff00ff', '#808080'];

test.each([
  ['#000000', '#ffffff', 21],
  ['#777777', '#ffffff', 4.48],
  ['#0c6b63', '#0c6b63', 1],
  ['#ffffff', '#0000ff', 8.59],
])('the contrast of %s and %s is %d', (one, other, ratio) => {
  expect(contrast(one, other)).toBeCloseTo(ratio, 2);
});

function check(chosen: Hex) {
  const schemes = accentsOf(chosen);
  for (const scheme of ['light', 'dark'] as const) {
    const { accent, soft, filled, filledHover } = schemes[scheme];
    const texts = [...grounds[scheme], soft].map((ground) => contrast(accent, ground));
    expect(Math.min(...texts), `${chosen} as text, ${scheme}`).toBeGreaterThanOrEqual(readable);
    for (const ground of [filled, filledHover])
      expect(contrast('#ffffff', ground), `white on ${ground} of ${chosen}, ${scheme}`).toBeGreaterThanOrEqual(
        readable,
      );
    for (const sheet of grounds[scheme])
      expect(contrast(filled, sheet), `${chosen} as a button, ${scheme}`).toBeGreaterThanOrEqual(distinguishable);
  }
  const { light, dark } = accentVariables(chosen);
  for (const values of [light, dark])
    expect(
      contrast(values['--mantine-color-lagoon-light-color'], values['--mantine-color-lagoon-light']),
    ).toBeGreaterThanOrEqual(readable);
}

describe('from one colour follow readable ones', () => {
  test.each(extremes)('%s', (chosen) => {
    expect(() => check(chosen as Hex)).not.toThrow();
  });

  test('any colour', () => {
    fc.assert(fc.property(hex, check), { numRuns: 300 });
  });

  test('a colour that is readable already stays as it is on light', () => {
    const { accent, filled } = accentsOf('#0c6b63').light;
    expect([accent, filled]).toEqual(['#0c6b63', '#0c6b63']);
  });
});

test('the style sheet has nothing but colours in it', () => {
  fc.assert(
    fc.property(hex, (chosen) => {
      const values = [...accentSheet(chosen).matchAll(/:([^:;{}[\]]+)[;}]/g)].map(([, value]) => value ?? '');
      expect(values).toHaveLength(10 + 2 * 9);
      expect(values.every(isHex)).toBe(true);
    }),
    { numRuns: 50 },
  );
});
