import { formerBandWords } from '@tenure/contract';
import type { ImportKind } from '../../imports/kind.ts';
import { bandLetters } from '../former-results/bands.ts';

/** Bands of other systems are matched with the companies' bands by their rank, A for the highest. */
export const choices: NonNullable<ImportKind['choices']> = {
  isMatched: (field) => field === 'band' || field === 'scale' || field === 'source',
  of: (field) => (field === 'band' ? bandLetters : undefined),
  read: (_field, text) => text.trim().toUpperCase(),
  otherWords: (_field, choice) => formerBandWords[choice] ?? [],
};
