/** Days of a probation, in the form `YYYY-MM-DD` of the Gregorian calendar. */

const parts = (day: string) => day.split('-').map(Number) as [year: number, month: number, date: number];

/** The day in a month counted from January of `year`; day 0 is the last of the previous month. */
function dayOf(year: number, month: number, date: number): Date {
  const day = new Date(0);
  // `Date.UTC` interprets years before 100 as those of the twentieth century
  day.setUTCFullYear(year, month - 1, date);
  return day;
}
const written = (day: Date) => day.toISOString().slice(0, -'T00:00:00.000Z'.length);
const isWithinYears = (day: string) => !day.startsWith('+');

/**
 * The last day of a probation of a number of months: the day before the day with the same number, or the last day of a
 * month without such a day (§ 188 BGB). 1 January and 6 months: 30 June; 31 August and 6 months: the last of February.
 * @param months whole months, at least 1
 * @returns null beyond the year 9999
 */
export function probationEnd(start: string, months: number): string | null {
  const [year, month, date] = parts(start);
  const last = dayOf(year, month + months + 1, 0);
  const end = written(date > last.getUTCDate() ? last : dayOf(year, month + months, date - 1));
  return isWithinYears(end) ? end : null;
}

/** The whole months of a probation; null if it does not end after whole months. */
function monthsOf(start: string, end: string): number | null {
  const [[year, month], [endYear, endMonth]] = [parts(start), parts(end)];
  const about = (endYear - year) * 12 + endMonth - month;
  return [about, about + 1].find((months) => months > 0 && probationEnd(start, months) === end) ?? null;
}

/**
 * The last day of a probation extended by a number of months. It is counted from the start with all months, so that
 * month ends do not drift: 30 November and 3 months end on 28 February, with 3 months more on 29 May. A probation that
 * is not a whole number of months, or has no known start, is extended from its end.
 * @param months whole months, at least 1
 * @returns null beyond the year 9999
 */
export function extendedProbationEnd(start: string | null, end: string, months: number): string | null {
  const served = start === null ? null : monthsOf(start, end);
  if (start !== null && served !== null) return probationEnd(start, served + months);
  return probationEnd(dayAfter(end), months);
}

/** The fewest whole months of an extension that ends after `today`; null beyond the longest extension. */
export function firstExtension(
  start: string | null,
  end: string,
  { today, longest }: { today: string; longest: number },
): number | null {
  for (let months = 1; months <= longest; months += 1)
    if ((extendedProbationEnd(start, end, months) ?? '') > today) return months;
  return null;
}

/**
 * The end after a pause: later by the number of days that the pause lasted.
 * @param from the first day of the pause
 * @param back the first day after it
 * @returns null beyond the year 9999
 */
export function endAfterPause(end: string, { from, back }: { from: string; back: string }): string | null {
  const [year, month, date] = parts(end);
  const moved = written(dayOf(year, month, date + daysBetween(from, back)));
  return isWithinYears(moved) ? moved : null;
}

/** The days from one day to another; negative if that is earlier. */
function daysBetween(from: string, to: string): number {
  const [first, last] = [from, to].map((day) => dayOf(...parts(day)).getTime()) as [number, number];
  return (last - first) / 86_400_000;
}

function dayAfter(day: string): string {
  const [year, month, date] = parts(day);
  return written(dayOf(year, month, date + 1));
}
