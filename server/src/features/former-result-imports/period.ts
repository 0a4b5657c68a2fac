/** The first and the last day of a period. */
export type Days = { from: string; to: string };

const ofMonths = (year: string, first: number, last: number): Days => {
  const lastDay = new Temporal.PlainYearMonth(Number(year), last).daysInMonth;
  const month = (number: number) => String(number).padStart(2, '0');
  return { from: `${year}-${month(first)}-01`, to: `${year}-${month(last)}-${lastDay}` };
};

const year = '(?<year>(?:19|20)\\d\\d)';
const half = '(?:h|hj|half|halbjahr)';
const quarter = '(?:q|quarter|quartal)';
const nth = '(?:\\.|st|nd|rd|th)?';
const between = '[ ._/-]*';

/** A year, half-year or quarter in English or German; the number before or after its word, the year first or last. */
const forms: readonly (readonly [string, number])[] = [
  [`(?:year|jahr|cy)?${between}${year}`, 12],
  ...[half, quarter].flatMap((word, index): [string, number][] => {
    const months = index === 0 ? 6 : 3;
    const part = `(?:${word}${between}(?<after>[1-4])|(?<before>[1-4])${nth}${between}${word})`;
    return [
      [`${part}${between}${year}`, months],
      [`${year}${between}${part}`, months],
    ];
  }),
];

const patterns = forms.map(([form, months]) => ({ pattern: new RegExp(`^${form}$`, 'i'), months }));

/** The days that a period name implies: those of a calendar year, half-year or quarter; otherwise undefined. */
export function daysOf(name: string): Days | undefined {
  for (const { pattern, months } of patterns) {
    const parts = pattern.exec(name.trim())?.groups;
    if (!parts?.['year']) continue;
    const place = Number(parts['after'] ?? parts['before'] ?? 1);
    return place * months > 12 ? undefined : ofMonths(parts['year'], (place - 1) * months + 1, place * months);
  }
  return undefined;
}
