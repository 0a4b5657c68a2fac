import type { ScoreExplanation } from '@tenure/contract';

type Band = NonNullable<ScoreExplanation['band_is']>;

/** Which limits a band has. */
export const placeOf = ({ from, below }: Band) => (below === null ? 'top' : from === null ? 'last' : 'middle');

/** The name and the limits of a band as texts. */
export const limitsOf = ({ name, from, below }: Band, percent: (value: number | null) => string) => ({
  name,
  from: percent(from),
  below: percent(below),
});
