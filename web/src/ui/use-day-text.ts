import { useFormatter } from 'use-intl';

/** Formats days without a time zone (`YYYY-MM-DD`); `long` writes out the month, for use in a sentence. */
export function useDayText(dateStyle: 'medium' | 'long' = 'medium'): (day: string) => string {
  const format = useFormatter();
  return (day) => format.dateTime(new Date(`${day}T00:00:00Z`), { dateStyle, timeZone: 'UTC' });
}
