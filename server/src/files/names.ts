import { extname } from 'node:path';

export const MAX_NAME_LENGTH = 255;

// Control characters, line separators, and marks that change the writing direction of a name.
const unprintable = /[\p{Cc}\u2028\u2029\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

/**
 * Makes the name of an uploaded file safe to store and send: the last part of a path, printable, 1 to 255 characters,
 * with its extension even if shortened. The service never uses it in a path.
 */
export function storedFileName(sent: string): string {
  const last = sent.split(/[/\\]/).at(-1) ?? '';
  const name = last.toWellFormed().replace(unprintable, '').trim();
  return /^\.*$/.test(name) ? 'file' : shortened(name);
}

/** The lower-case extension without its dot; empty if there is none. */
export function extensionOf(name: string): string {
  return extname(name).slice(1).toLowerCase();
}

function shortened(name: string): string {
  if (name.length <= MAX_NAME_LENGTH) return name;
  const ending = extname(name).length <= 16 ? extname(name) : '';
  // Removes half a surrogate pair left by truncation.
  return name.slice(0, MAX_NAME_LENGTH - ending.length).replace(/[\ud800-\udbff]$/, '') + ending;
}
