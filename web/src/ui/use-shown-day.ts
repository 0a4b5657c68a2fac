import { useFormatter } from 'use-intl';

/** A `YYYY-MM-DD` day formatted for use in a sentence. */
export function useShownDay(day: string): string {
  const format = useFormatter();
  return format.dateTime(new Date(`${day}T00:00:00Z`), { dateStyle: 'long', timeZone: 'UTC' });
}
