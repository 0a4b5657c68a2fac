/** The form that goes with a number. */
export const agree = (n: number, one: string, several: string): string => (n === 1 ? one : several);

/** `1 department`, `12 departments`. */
export const counted = (n: number, one: string, several: string) => `${n} ${agree(n, one, several)}`;

/** So many of something, with what one and several of it are called. */
export type Some = readonly [count: number, one: string, several: string];

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

/** What there is of several things: `2 files and 1 department`; undefined when there is nothing. */
export function tally(...things: readonly Some[]): string | undefined {
  const present = things.filter(([count]) => count > 0).map((thing) => counted(...thing));
  return present.length > 0 ? listed(present) : undefined;
}

/** `there is still 1 file`, `there are still 2 files and 1 department`; undefined when there is nothing. */
export function stillThere(...things: readonly Some[]): string | undefined {
  const total = things.reduce((sum, [count]) => sum + count, 0);
  const list = tally(...things);
  return list && `there ${agree(total, 'is', 'are')} still ${list}`;
}

/** With a capital, and to the end. */
export const sentence = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
