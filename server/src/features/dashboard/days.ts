/** The days of counted periods, all inclusive, as `YYYY-MM-DD`. */
export type Days = {
  today: string;
  yesterday: string;
  month_start: string;
  quarter_start: string;
  /** The first day of the twelve months that end today. */
  year_start: string;
  /** People who joined after that day have served less than a year. */
  one_year_ago: string;
  three_years_ago: string;
  five_years_ago: string;
};

/** @param today the day of UTC on which it is counted */
export function daysOf(today: Temporal.PlainDate): Days {
  const ago = (years: number) => today.subtract({ years });
  const firstOf = (month: number) => today.with({ month, day: 1 }).toString();
  return {
    today: today.toString(),
    yesterday: today.subtract({ days: 1 }).toString(),
    month_start: firstOf(today.month),
    quarter_start: firstOf(3 * Math.floor((today.month - 1) / 3) + 1),
    year_start: ago(1).add({ days: 1 }).toString(),
    one_year_ago: ago(1).toString(),
    three_years_ago: ago(3).toString(),
    five_years_ago: ago(5).toString(),
  };
}

/** One instant for all figures of an answer, and its days. */
export function moment(): { as_of: string; days: Days } {
  const now = Temporal.Now.instant();
  return {
    as_of: now.toString({ fractionalSecondDigits: 3 }),
    days: daysOf(now.toZonedDateTimeISO('UTC').toPlainDate()),
  };
}

/** Percent of two decimals; null for a zero divisor. */
export const percentOf = (part: number, whole: number): number | null =>
  whole === 0 ? null : Math.round((10_000 * part) / whole) / 100;
