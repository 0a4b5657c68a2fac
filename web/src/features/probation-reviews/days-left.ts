const dayMs = 86_400_000;

/** Whole days from the company's present day to a `YYYY-MM-DD`; negative for a past one. */
export const daysUntil = (day: string, from: string): number =>
  Math.round((Date.parse(day) - Date.parse(from)) / dayMs);

/** The `YYYY-MM-DD` a number of days after another. */
export const daysAfter = (day: string, days: number): string =>
  new Date(Date.parse(day) + days * dayMs).toISOString().slice(0, 10);
