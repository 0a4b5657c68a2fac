import { letterPlaceholders } from '@tenure/contract';

export type Placeholder = (typeof letterPlaceholders)[number];
export type Values = Readonly<Record<Placeholder, string>>;

const pattern = /\{\{\s*([^{}]*?)\s*\}\}/g;
const isKnown = (name: string): name is Placeholder => letterPlaceholders.some((known) => known === name);

/** What a text names between double braces and no letter knows. */
export const unknownIn = (text: string): string[] => [
  ...new Set([...text.matchAll(pattern)].map((match) => match[1] ?? '').filter((name) => !isKnown(name))),
];

const steering = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/** A value that keeps its own direction and leaves that of its surroundings alone (UAX 9, isolates). */
export const isolated = (value: string): string => `\u2068${value.replaceAll(steering, '')}\u2069`;

/** The text with its values in place; they are text too and never read as placeholders. */
export const filled = (text: string, values: Values): string =>
  text.replaceAll(pattern, (found, name: string) => (isKnown(name) ? isolated(values[name]) : found));
