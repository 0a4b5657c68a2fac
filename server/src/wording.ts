/** `1 department`, `12 departments`. */
export const counted = (n: number, one: string, several: string) => `${n} ${n === 1 ? one : several}`;

/** `a, b and c`. */
export const listed = (parts: readonly string[]): string =>
  parts.length < 2 ? parts.join('') : `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}`;
