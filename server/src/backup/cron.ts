import { parseCronItem } from '../db/worker-library.ts';

const minute = 60_000;
const maxMinutes = 366 * 24 * 60;

/**
 * The nearest minute at which a cron pattern in UTC is due: after `from`, or when searching backwards, at or before it;
 * undefined if there is none within a year.
 */
export function dueNear(pattern: string, from: number, direction: 'after' | 'before'): number | undefined {
  const { match } = parseCronItem({ task: 'any', match: pattern });
  const step = direction === 'after' ? minute : -minute;
  const first = Math.floor(from / minute) * minute + (direction === 'after' ? minute : 0);
  const date = new Date(first);
  for (let count = 0; count < maxMinutes; count += 1) {
    date.setTime(first + count * step);
    const digest = {
      min: date.getUTCMinutes(),
      hour: date.getUTCHours(),
      date: date.getUTCDate(),
      month: date.getUTCMonth() + 1,
      dow: date.getUTCDay(),
    };
    if (match(digest)) return date.getTime();
  }
  return undefined;
}
