import { text } from '@tenure/contract';
import type { LetterKind, MessageKey } from '@tenure/contract';
import type { LanguageId } from '../../languages/catalogue.ts';
import { localeOf, render } from '../../languages/languages.ts';
import type { LetterContent, LetterSignature } from '../probation-reviews/letter-content.ts';

/** A signature with its picture. */
export type Signed = LetterSignature & { picture: Uint8Array | null };

export type Letter = {
  kind: LetterKind;
  language: LanguageId;
  content: LetterContent;
  signed: readonly Signed[];
  wording: { title: string; body: string };
  /** The page that verifies the signatures. */
  address: string;
};

/** Formats words and numbers in the language of a letter, and times in the time zone of the company. */
export function writerOf({ language, content: { timezone } }: Pick<Letter, 'language' | 'content'>) {
  const locale = localeOf(language);
  const say = <const K extends MessageKey>(...message: Parameters<typeof text<K>>) =>
    render(language, text(...message));
  const none = say('documents.none');
  return {
    say,
    none,
    day: (day: string | null) =>
      day === null ? none : Temporal.PlainDate.from(day).toLocaleString(locale, { dateStyle: 'long' }),
    dayOf: (instant: string) =>
      Temporal.Instant.from(instant).toLocaleString(locale, { dateStyle: 'long', timeZone: timezone }),
    moment: (instant: string) =>
      Temporal.Instant.from(instant).toLocaleString(locale, {
        dateStyle: 'long',
        timeStyle: 'long',
        timeZone: timezone,
      }),
    number: (value: number, options?: Intl.NumberFormatOptions) => new Intl.NumberFormat(locale, options).format(value),
    months: (count: number | null) =>
      count === null
        ? none
        : new Intl.NumberFormat(locale, { style: 'unit', unit: 'month', unitDisplay: 'long' }).format(count),
  };
}
export type Writer = ReturnType<typeof writerOf>;
