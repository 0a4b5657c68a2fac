import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { tints } from './PersonAvatar.tsx';

const read = (file: string) => readFileSync(join(import.meta.dirname, file), 'utf8');
const css = read('tokens.css');

function tokensOf(scheme: 'light' | 'dark'): Record<string, string> {
  const block = new RegExp(`\\[data-mantine-color-scheme='${scheme}'\\] \\{([^}]*)\\}`).exec(css)?.[1] ?? '';
  return Object.fromEntries([...block.matchAll(/--([\w-]+): ([^;]+);/g)].map(([, name, value]) => [name, value]));
}

function luminance(hex: string): number {
  const channels = [1, 3, 5].map((start) => parseInt(hex.slice(start, start + 2), 16) / 255);
  const [red = 0, green = 0, blue = 0] = channels.map((c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4));
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(one: string, other: string): number {
  const [light = 0, dark = 0] = [luminance(one), luminance(other)].sort((a, b) => b - a);
  return (light + 0.05) / (dark + 0.05);
}

const text = [
  ['ink', 'sheet'],
  ['ink', 'sunken'],
  ['ink', 'canvas'],
  ['ink-2', 'sheet'],
  ['ink-2', 'sunken'],
  ['ink-2', 'canvas'],
  ['accent', 'sheet'],
  ['accent', 'sunken'],
  ['accent', 'accent-soft'],
  ['good-fg', 'good-bg'],
  ['good-fg', 'sheet'],
  ['warn-fg', 'warn-bg'],
  ['info-fg', 'info-bg'],
  ['quiet-fg', 'quiet-bg'],
  ['danger', 'danger-bg'],
  ['danger', 'sheet'],
] as const;
const shapes = [
  ['line-strong', 'sheet'],
  ['input-line', 'sheet'],
  ['accent', 'canvas'],
] as const;

describe.each(['light', 'dark'] as const)('in %s colours', (scheme) => {
  const tokens = tokensOf(scheme);
  const of = (name: string): string => tokens[name] ?? '';

  test.each(text)('%s is readable on %s', (ink, ground) => {
    expect(contrast(of(ink), of(ground))).toBeGreaterThanOrEqual(4.5);
  });

  test.each(shapes)('%s is distinguishable from %s', (line, ground) => {
    expect(contrast(of(line), of(ground))).toBeGreaterThanOrEqual(3);
  });

  test('a quiet red button is readable under the pointer', () => {
    expect(of('mantine-color-red-light-color')).toBe('var(--danger)');
    expect(of('mantine-color-red-light-hover')).toBe('var(--danger-bg)');
  });

  test('white is readable on the filled button', () => {
    expect(contrast('#ffffff', of('filled'))).toBeGreaterThanOrEqual(4.5);
  });
});

test('both schemes define the same tokens', () => {
  expect(Object.keys(tokensOf('dark')).sort()).toEqual(Object.keys(tokensOf('light')).sort());
});

describe('initials', () => {
  test('have eight tints', () => {
    expect(tints).toHaveLength(8);
  });

  test.each(tints.map(([tint, ink]) => [ink, tint]))('%s is readable on %s', (ink, tint) => {
    expect(contrast(ink, tint)).toBeGreaterThanOrEqual(4.5);
  });
});
