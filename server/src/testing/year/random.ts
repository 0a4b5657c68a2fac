/** Random choices that a seed reproduces, so that a failed year can be repeated. */
export type Random = {
  /** True with a probability from 0 to 1. */
  chance: (probability: number) => boolean;
  /** A whole number, both ends included. */
  between: (least: number, most: number) => number;
  pick: <T>(list: readonly T[]) => T;
  /** At most this many of a list, without repetitions. */
  some: <T>(list: readonly T[], count: number) => T[];
};

/** The mulberry32 generator. */
export function randomOf(seed: number): Random {
  let state = Math.imul(seed, 0x9e3779b1) >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const between = (least: number, most: number) => least + Math.floor(next() * (most - least + 1));
  const pick = <T>(list: readonly T[]): T => list[between(0, list.length - 1)] as T;
  return {
    chance: (probability) => next() < probability,
    between,
    pick,
    some: (list, count) => {
      const left = [...list];
      return Array.from(
        { length: Math.min(count, left.length) },
        () => left.splice(between(0, left.length - 1), 1)[0]!,
      );
    },
  };
}
