import type { LetterKind } from '@tenure/contract';
import type { Letterhead } from '../../brand/read.ts';
import type { LanguageId } from '../../languages/catalogue.ts';
import { localeOf } from '../../languages/languages.ts';
import { wordsOf } from '../../pdf/wording.ts';
import type { LetterContent, LetterSignature } from '../probation-reviews/letter-content.ts';

/** A signature with its picture. */
export type Signed = LetterSignature & { picture: Uint8Array | null };

export type Letter = {
  kind: LetterKind;
  language: LanguageId;
  content: LetterContent;
  signed: readonly Signed[];
  letterhead: Letterhead;
  wording: { title: string; body: string };
  /** The page that verifies the signatures. */
  address: string;
};

/** Formats words and numbers in the language of a letter, and times in the company's time zone. */
export function writerOf({ language, content: { timezone } }: Pick<Letter, 'language' | 'content'>) {
  const words = wordsOf(language, timezone);
  return {
    ...words,
    months: (count: number | null) =>
      count === null
        ? words.none
        : new Intl.NumberFormat(localeOf(language), { style: 'unit', unit: 'month', unitDisplay: 'long' }).format(
            count,
          ),
  };
}
export type Writer = ReturnType<typeof writerOf>;
