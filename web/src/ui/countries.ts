/** Unicode region codes that are not countries of ISO 3166-1; Kosovo, which has a user-assigned code, stays. */
const noCountries = new Set('AC CP CQ DG EA EU EZ IC QO TA UN XA XB ZZ'.split(' '));

const letters = Array.from({ length: 26 }, (_, place) => String.fromCodePoint(65 + place));

/** Is the code current? An old code has another canonical form. */
const isOfToday = (code: string) => Intl.getCanonicalLocales(`und-${code}`)[0] === `und-${code}`;

/** The name of a country in a language; the code itself if it has no name. */
export const countryName = (language: string, code: string): string =>
  (/^[A-Z]{2}$/.test(code) && new Intl.DisplayNames(language, { type: 'region' }).of(code)) || code;

/** The countries for which the browser has a name, sorted by name. */
export function countriesIn(language: string): { code: string; name: string }[] {
  const names = new Intl.DisplayNames(language, { type: 'region', fallback: 'none' });
  return letters
    .flatMap((first) => letters.map((second) => first + second))
    .filter((code) => !noCountries.has(code) && isOfToday(code))
    .map((code) => ({ code, name: names.of(code) ?? '' }))
    .filter(({ name }) => name !== '')
    .toSorted((a, b) => a.name.localeCompare(b.name, language));
}
