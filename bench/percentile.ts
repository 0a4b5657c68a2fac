/** The value below which this share of the numbers lies. */
export const percentile = (numbers: readonly number[], share: number): number =>
  numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length * share)] ?? 0;

export const median = (numbers: readonly number[]): number => percentile(numbers, 0.5);
