/** Days as people type and read them. A day without a time zone is `YYYY-MM-DD`. */

const two = (number: number) => String(number).padStart(2, '0');

/** The day of these numbers; undefined if it does not exist, such as 30 February. */
function dayOf(year: number, month: number, day: number): string | undefined {
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  const isReal = date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
  return isReal && year >= 1000 && year <= 9999 ? `${year}-${two(month)}-${two(day)}` : undefined;
}

/** A two-digit year lies between 80 years ago and 19 years ahead. */
function fullYear(short: number, now: number): number {
  const from = now - 80;
  return from + ((((short - from) % 100) + 100) % 100);
}

type Part = 'day' | 'month' | 'year';

const isPart = (type: string): type is Part => type === 'day' || type === 'month' || type === 'year';

const digits = (region: string) =>
  new Intl.DateTimeFormat(region, { day: '2-digit', month: '2-digit', year: 'numeric' }).formatToParts(0);

/** The order of day, month and year in this locale. */
export const orderIn = (region: string): Part[] =>
  digits(region)
    .map(({ type }) => type)
    .filter(isPart);

/**
 * The locale whose date order a reader expects: their browser may say `en-US` although the application's English is
 * British.
 * @param spoken the locale of the application
 * @param preferred the languages that the browser asks for, the best first
 */
export const regionOf = (spoken: string, preferred: readonly string[]): string =>
  preferred.find((tag) => tag.includes('-') && tag.split('-')[0] === spoken.split('-')[0]) ?? spoken;

const plain = (text: string) => text.toLocaleLowerCase().replaceAll('.', '');

/** The number of the month whose name starts with the word; undefined if several do or none. */
function monthNamed(word: string, locale: string): number | undefined {
  const nameOf = (style: 'long' | 'short', month: number) =>
    plain(
      new Intl.DateTimeFormat(locale, { day: 'numeric', month: style, timeZone: 'UTC' })
        .formatToParts(Date.UTC(2026, month, 1))
        .find(({ type }) => type === 'month')?.value ?? '',
    );
  const found = Array.from({ length: 12 }, (_, month) => month).filter((month) =>
    (['long', 'short'] as const).some((style) => nameOf(style, month).startsWith(plain(word))),
  );
  return word.length >= 3 && found.length === 1 ? (found[0] ?? 0) + 1 : undefined;
}

type Reader = {
  /** The locale of the month names. */
  locale: string;
  order: readonly Part[];
  /** Accepts a two-digit year; false while more digits may follow. */
  isDone?: boolean;
  /** The current year. */
  now?: number;
};

/** The date part of each typed word, in the reader's order, or in that of ISO 8601 if a full year comes first. */
function partsOf(words: readonly string[], { locale, order }: Reader): Partial<Record<Part, string>> {
  const name = words.find((word) => /\p{L}/u.test(word));
  const month = name === undefined ? undefined : monthNamed(name, locale);
  if (name !== undefined && month === undefined) return {};
  const numbers = words.filter((word) => word !== name);
  const usual = order.filter((part) => part !== 'month' || name === undefined);
  // four digits can only be the year
  const place = numbers.findIndex((number) => number.length === 4);
  const others = place === 0 && name === undefined ? ['month', 'day'] : usual.filter((part) => part !== 'year');
  const expected = place < 0 ? usual : others.toSpliced(place, 0, 'year');
  if (numbers.length !== expected.length) return {};
  return {
    ...(month !== undefined && { month: String(month) }),
    ...Object.fromEntries(expected.map((part, place) => [part, numbers[place]])),
  };
}

/**
 * Reads a day as it was typed: `2/8/2026` or `2.8.26` in the reader's order, `2 Aug 2026`, `2026-08-02`.
 * @returns `YYYY-MM-DD`; undefined if the text is not a complete day
 */
export function readDay(text: string, reader: Reader): string | undefined {
  const words = text.match(/\p{L}+|\d+/gu) ?? [];
  const { day, month, year } = partsOf(words, reader);
  if (!day || !month || !year || day.length > 2 || month.length > 2) return undefined;
  if (year.length === 4) return dayOf(Number(year), Number(month), Number(day));
  if (year.length !== 2 || !reader.isDone) return undefined;
  const full = fullYear(Number(year), reader.now ?? new Date().getFullYear());
  return dayOf(full, Number(month), Number(day));
}

/** How a day is typed in digits, such as `dd/mm/yyyy`, from the words for its parts. */
export const patternIn = (region: string, words: Record<Part, string>): string =>
  digits(region)
    .map(({ type, value }) => (isPart(type) ? words[type] : value))
    .join('');
