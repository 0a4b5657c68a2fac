import { useFormatter } from 'use-intl';

/** A day `YYYY-MM-DD` as it stands in a sentence. */
export function useShownDay(day: string): string {
  const format = useFormatter();
  return format.dateTime(new Date(`${day}T00:00:00Z`), { dateStyle: 'long', timeZone: 'UTC' });
}
