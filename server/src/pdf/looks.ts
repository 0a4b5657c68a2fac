import type { Style } from './faces.ts';

/** The colours of documents, and the style of each kind of text. */

export const colours = { ink: '#1b1f24', quiet: '#5a6370', line: '#c9ced6' } as const;

export type Look = { style: Style; size: number; colour: string; after: number };
export const looks = {
  title: { style: 'strong', size: 17, colour: colours.ink, after: 12 },
  heading: { style: 'strong', size: 11.5, colour: colours.ink, after: 5 },
  text: { style: 'plain', size: 10.5, colour: colours.ink, after: 9 },
  label: { style: 'plain', size: 9.5, colour: colours.quiet, after: 3 },
  value: { style: 'plain', size: 9.5, colour: colours.ink, after: 3 },
  note: { style: 'plain', size: 8, colour: colours.quiet, after: 5 },
  mark: { style: 'script', size: 24, colour: '#1e2a78', after: 2 },
} as const satisfies Record<string, Look>;
export type LookName = keyof typeof looks;
