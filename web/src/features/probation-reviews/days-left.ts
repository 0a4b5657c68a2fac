import { today } from '../../ui/time-served.ts';

const dayMs = 86_400_000;

/** Whole days to a `YYYY-MM-DD` from the day it is in the company; negative for one that is past. */
export const daysUntil = (day: string, from = today()): number =>
  Math.round((Date.parse(day) - Date.parse(from)) / dayMs);

/** The `YYYY-MM-DD` so many days after another. */
export const daysAfter = (day: string, days: number): string =>
  new Date(Date.parse(day) + days * dayMs).toISOString().slice(0, 10);
