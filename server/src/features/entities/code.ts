const longest = 10;
/** Leaves room for the number that makes a code unique. */
const longestBase = 7;

/**
 * The default code of a company: the initials of its name ("Acme Foods Ltd" → AFL), the first letters of a single word
 * ("Globex" → GLOB), CO for a name without Latin letters and digits.
 */
export function baseCode(name: string): string {
  const words = name
    .normalize('NFKD')
    .toUpperCase()
    .replaceAll(/[^\sA-Z0-9.,_/&-]/g, '')
    .split(/[^A-Z0-9]+/)
    .filter((word) => word !== '');
  const initials = words.map((word) => word.slice(0, 1)).join('');
  const base = initials.length >= 2 ? initials : (words[0] ?? '').slice(0, 4);
  return base.length >= 2 ? base.slice(0, longestBase) : `CO${base}`;
}

/** The base itself, or the base with the first free number from 2. At most 10 characters. */
export function uniqueCode(base: string, taken: ReadonlySet<string>): string {
  if (!taken.has(base)) return base;
  for (let number = 2; ; number += 1) {
    const code = `${base.slice(0, longest - String(number).length)}${number}`;
    if (!taken.has(code)) return code;
  }
}
