import { useFormatter } from 'use-intl';

/** Formats a full hour as the user writes times. */
export function useTimeOfDay(): (hour: number) => string {
  const format = useFormatter();
  return (hour) => format.dateTime(new Date(Date.UTC(2000, 0, 1, hour)), { timeStyle: 'short', timeZone: 'UTC' });
}
