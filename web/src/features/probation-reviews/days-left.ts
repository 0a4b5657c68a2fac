const dayMs = 86_400_000;

/** Whole days from the company's current day to a `YYYY-MM-DD`; negative if it is in the past. */
export const daysUntil = (day: string, from: string): number =>
  Math.round((Date.parse(day) - Date.parse(from)) / dayMs);

/** The `YYYY-MM-DD` that is a number of days after another. */
export const daysAfter = (day: string, days: number): string =>
  new Date(Date.parse(day) + days * dayMs).toISOString().slice(0, 10);
