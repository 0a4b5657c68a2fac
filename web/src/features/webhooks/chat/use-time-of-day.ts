import { useFormatter } from 'use-intl';

/** A full hour as the reader writes times. */
export function useTimeOfDay(): (hour: number) => string {
  const format = useFormatter();
  return (hour) => format.dateTime(new Date(Date.UTC(2000, 0, 1, hour)), { timeStyle: 'short', timeZone: 'UTC' });
}
