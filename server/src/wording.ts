/** `1 department`, `12 departments`. */
export const counted = (n: number, one: string, several: string) => `${n} ${n === 1 ? one : several}`;

/** Reasons the service gives itself where people give theirs otherwise; answers say them in the reader's language. */
export const ownReasons = {
  employmentEnds: 'The employment ends.',
  handedOver: 'Responsibilities were handed over.',
  publishWithdrawn: 'The right to publish the cycle was withdrawn.',
  timeIsOver: 'The time for this step is over.',
} as const;

/** `a, b and c`. */
export const listed = (parts: readonly string[]): string =>
  parts.length < 2 ? parts.join('') : `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}`;
