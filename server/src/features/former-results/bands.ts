import { sql } from 'kysely';
import { fold } from '../../db/fold.ts';

/** The names of the bands of a company, from the highest to the lowest. */
export type BandNames = readonly [string, string, string, string];

/** The names of the bands of a company `n`. */
export const bandNames = sql<BandNames>`
  array[n.kpi_band_a_name, n.kpi_band_b_name, n.kpi_band_c_name, n.kpi_band_d_name]`;

export const bandLetters = ['A', 'B', 'C', 'D'] as const;

/** The band that a text means: by name in the company, else by the letter of its rank; undefined for other texts. */
export function bandCalled(text: string, names: BandNames): string | undefined {
  const wanted = fold(text);
  const named = names.find((name) => fold(name) === wanted);
  return named ?? names[bandLetters.findIndex((letter) => fold(letter) === wanted)];
}
