import { text } from '@tenure/contract';
import type { MessageKey } from '@tenure/contract';
import type { LanguageId } from '../languages/catalogue.ts';
import { localeOf, render } from '../languages/languages.ts';
import type { Block } from './sheet.ts';

const steering = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/** Isolates the direction of a value from its surroundings (UAX 9). */
export const isolated = (value: string): string => `\u2068${value.replaceAll(steering, '')}\u2069`;

/** Formats words and numbers of a document in its language, and times in the company's time zone. */
export function wordsOf(language: LanguageId, timeZone: string) {
  const locale = localeOf(language);
  const say = <const K extends MessageKey>(...message: Parameters<typeof text<K>>) =>
    render(language, text(...message));
  const none = say('documents.none');
  return {
    say,
    none,
    day: (day: string | null) =>
      day === null ? none : Temporal.PlainDate.from(day).toLocaleString(locale, { dateStyle: 'long' }),
    dayOf: (instant: string) => Temporal.Instant.from(instant).toLocaleString(locale, { dateStyle: 'long', timeZone }),
    moment: (instant: string) =>
      Temporal.Instant.from(instant).toLocaleString(locale, { dateStyle: 'long', timeStyle: 'long', timeZone }),
    number: (value: number, options?: Intl.NumberFormatOptions) => new Intl.NumberFormat(locale, options).format(value),
  };
}
export type Words = ReturnType<typeof wordsOf>;

/** The footer of each page, which names the record. Pages are counted when they are drawn. */
export const pageFooter = ({ say }: Pick<Words, 'say'>, record: string): string =>
  say('documents.page', { page: '{page}', pages: '{pages}', record: isolated(record) });

/** Labels and values in two columns; labels without a value are skipped. */
export const descriptionsOf = (rows: readonly (readonly [label: string, value: string | null])[]): Block => ({
  kind: 'descriptions',
  rows: rows.flatMap(([label, value]) => (value === null || value === '' ? [] : [[label, value] as const])),
});
