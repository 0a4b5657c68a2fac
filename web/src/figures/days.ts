/** Days as `YYYY-MM-DD`. */

const dayMs = 86_400_000;
const textOf = (date: Date) => date.toISOString().slice(0, 10);
const dateOf = (day: string) => new Date(`${day}T00:00:00Z`);

/** The day that is a number of days later, or earlier if negative. */
export const addDays = (day: string, days: number): string => textOf(new Date(dateOf(day).getTime() + days * dayMs));

/** The same day some years earlier; 28 February for a leap day without an equivalent. */
export function yearsBefore(day: string, years: number): string {
  const date = dateOf(day);
  date.setUTCFullYear(date.getUTCFullYear() - years);
  return date.getUTCDate() === dateOf(day).getUTCDate() ? textOf(date) : addDays(textOf(date), -1);
}

export const monthStart = (day: string): string => `${day.slice(0, 8)}01`;

/** The first day of the month a number of months earlier. */
export function monthsBefore(day: string, months: number): string {
  const date = dateOf(monthStart(day));
  date.setUTCMonth(date.getUTCMonth() - months);
  return textOf(date);
}

export const monthEnd = (month: string): string => {
  const date = dateOf(`${month}-01`);
  date.setUTCMonth(date.getUTCMonth() + 1);
  return addDays(textOf(date), -1);
};

export const quarterStart = (day: string): string => {
  const month = 3 * Math.floor((Number(day.slice(5, 7)) - 1) / 3) + 1;
  return `${day.slice(0, 5)}${String(month).padStart(2, '0')}-01`;
};
