import { letterPlaceholders } from '@tenure/contract';
import { isolated } from '../../pdf/wording.ts';

export type Placeholder = (typeof letterPlaceholders)[number];
export type Values = Readonly<Record<Placeholder, string>>;

const pattern = /\{\{([^{}]*)\}\}/g;
const isKnown = (name: string): name is Placeholder => letterPlaceholders.some((known) => known === name);

/** The remains of a placeholder with incomplete braces, which the letter would show unchanged. */
const incomplete = /\{\{\s?[a-z_]*\}?|(?<![a-z_])[a-z_]*\}\}|\{\s*[a-z_]+\s*\}/g;

/** Unknown and incomplete placeholders of a text. */
export const unknownIn = (text: string): string[] => [
  ...new Set([
    ...[...text.matchAll(pattern)].map((match) => (match[1] ?? '').trim()).filter((name) => !isKnown(name)),
    ...[...text.replaceAll(pattern, '').matchAll(incomplete)].map(([found]) => found.trim()),
  ]),
];

/** Fills in the values; placeholders inside values are not replaced. */
export const filled = (text: string, values: Values): string =>
  text.replaceAll(pattern, (found, inner: string) => {
    const name = inner.trim();
    return isKnown(name) ? isolated(values[name]) : found;
  });
