import { extname } from 'node:path';

export const MAX_NAME_LENGTH = 255;

// Control characters, line separators, and the marks that make a name read in another direction than it is stored.
const unprintable = /[\p{Cc}\u2028\u2029\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

/**
 * The name a client gave its file, fit to be stored and sent back: the last part of a path, printable, 1 to 255
 * characters, with its extension kept when it must be shortened. It is never part of a path on our side.
 */
export function storedFileName(sent: string): string {
  const last = sent.split(/[/\\]/).at(-1) ?? '';
  const name = last.toWellFormed().replace(unprintable, '').trim();
  return /^\.*$/.test(name) ? 'file' : shortened(name);
}

/** The lower-case extension without its dot; empty when there is none. */
export function extensionOf(name: string): string {
  return extname(name).slice(1).toLowerCase();
}

function shortened(name: string): string {
  if (name.length <= MAX_NAME_LENGTH) return name;
  const ending = extname(name).length <= 16 ? extname(name) : '';
  // A pair of surrogates cut in two would leave half a character.
  return name.slice(0, MAX_NAME_LENGTH - ending.length).replace(/[\ud800-\udbff]$/, '') + ending;
}
