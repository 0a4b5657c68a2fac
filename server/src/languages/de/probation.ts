import type { Texts } from '../matcher.ts';

/** Probation reviews, their signatures and letters. */
export const probation: Texts = {
  'The :attribute field shows nothing.': '„:attribute“ ist leer: Es ist nichts zu sehen.',
  'The :attribute field must not have more than {n} million pixels.':
    '„:attribute“ darf nicht mehr als {n} Millionen Bildpunkte haben.',
};
