/** Codes of Unicode for what is no country of ISO 3166-1; Kosovo, which has a code of its users, stays. */
const noCountries = new Set('AC CP CQ DG EA EU EZ IC QO TA UN XA XB ZZ'.split(' '));

const letters = Array.from({ length: 26 }, (_, place) => String.fromCodePoint(65 + place));

/** Old codes stand for the country of today. */
const isOfToday = (code: string) => Intl.getCanonicalLocales(`und-${code}`)[0] === `und-${code}`;

/** The name of a country by its code, in a language; a code without a name stays. */
export const countryName = (language: string, code: string): string =>
  (/^[A-Z]{2}$/.test(code) && new Intl.DisplayNames(language, { type: 'region' }).of(code)) || code;

/** The countries that the browser has a name for, by name. */
export function countriesIn(language: string): { code: string; name: string }[] {
  const names = new Intl.DisplayNames(language, { type: 'region', fallback: 'none' });
  return letters
    .flatMap((first) => letters.map((second) => first + second))
    .filter((code) => !noCountries.has(code) && isOfToday(code))
    .map((code) => ({ code, name: names.of(code) ?? '' }))
    .filter(({ name }) => name !== '')
    .toSorted((a, b) => a.name.localeCompare(b.name, language));
}
