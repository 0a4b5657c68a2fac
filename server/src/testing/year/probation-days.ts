/**
 * Computes the end of a probation by counting days, independently of the service: months come from a table, not from a
 * calendar library.
 */
export type Probation = {
  /** The very first day. */
  first: string;
  /** The day from which months count. */
  start: string;
  months: number;
  /** Days of pauses since then. */
  paused: number;
};

export const beginning = (first: string, months: number): Probation => ({ first, start: first, months, paused: 0 });

const lengths = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
const isLeap = (year: number) => (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
const lengthOf = (year: number, month: number) => (month === 2 && isLeap(year) ? 29 : lengths[month - 1]!);
const two = (value: number) => String(value).padStart(2, '0');

const written = ([year, month, day]: [number, number, number]) => `${year}-${two(month)}-${two(day)}`;

/** The next day, by counting. */
function dayAfter([year, month, day]: [number, number, number]): [number, number, number] {
  if (day < lengthOf(year, month)) return [year, month, day + 1];
  return month < 12 ? [year, month + 1, 1] : [year + 1, 1, 1];
}

/** An extended probation: from its start with all months, or from its end if that is not a whole number of months. */
export function extended(probation: Probation, months: number): Probation {
  const end = expectedEnd(probation);
  const whole = Array.from({ length: 60 }, (_, index) => index + 1).find(
    (count) => expectedEnd({ ...probation, start: probation.first, months: count, paused: 0 }) === end,
  );
  if (whole !== undefined) return { first: probation.first, start: probation.first, months: whole + months, paused: 0 };
  const next = dayAfter(end.split('-').map(Number) as [number, number, number]);
  return { first: probation.first, start: written(next), months, paused: 0 };
}

/** The last day: the day before the day with the same number, or the last of a month without such a day. */
export function expectedEnd({ start, months, paused }: Probation): string {
  const [year, month, day] = start.split('-').map(Number) as [number, number, number];
  const index = month - 1 + months;
  const [endYear, endMonth] = [year + Math.floor(index / 12), (index % 12) + 1];
  let end: [number, number, number];
  if (day > lengthOf(endYear, endMonth)) end = [endYear, endMonth, lengthOf(endYear, endMonth)];
  else if (day > 1) end = [endYear, endMonth, day - 1];
  else if (endMonth > 1) end = [endYear, endMonth - 1, lengthOf(endYear, endMonth - 1)];
  else end = [endYear - 1, 12, 31];
  for (let left = paused; left > 0; left -= 1) end = dayAfter(end);
  return written(end);
}
