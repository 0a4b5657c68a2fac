/** How many days, weeks and months keep their newest backup. */
export type Keep = { days: number; weeks: number; months: number };

/** Reads `7d 4w 3m`; undefined for anything else. */
export function parseKeep(text: string): Keep | undefined {
  const keep = { d: 0, w: 0, m: 0 };
  for (const part of text.trim().split(/\s+/)) {
    const [, count, unit] = /^(\d{1,4})([dwm])$/.exec(part) ?? [];
    if (count === undefined || unit === undefined) return undefined;
    keep[unit as 'd' | 'w' | 'm'] = Number(count);
  }
  return keep.d + keep.w + keep.m > 0 ? { days: keep.d, weeks: keep.w, months: keep.m } : undefined;
}

/** The time of a backup, from its id: `20261126T021500Z-1a2b3c` → `2026-11-26T02:15:00Z`. */
export const timeOf = (id: string): string =>
  id.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z.*$/, '$1-$2-$3T$4:$5:$6Z');

const dayOf = (id: string) => timeOf(id).slice(0, 10);
const monthOf = (id: string) => timeOf(id).slice(0, 7);
function weekOf(id: string): string {
  const { yearOfWeek, weekOfYear } = Temporal.PlainDate.from(dayOf(id));
  return `${yearOfWeek}-${weekOfYear}`;
}

/** The newest backup of each of the last `count` periods that have backups. */
function newestOfEach(newestFirst: readonly string[], periodOf: (id: string) => string, count: number): string[] {
  const found = new Map<string, string>();
  for (const id of newestFirst) if (!found.has(periodOf(id))) found.set(periodOf(id), id);
  return [...found.values()].slice(0, count);
}

const millisecondsOf = (id: string) => Date.parse(timeOf(id));
const dayMilliseconds = 24 * 3_600_000;

/** The backups to keep; always those of the day before the newest, so that none pushes out one made by hand. */
export function backupsToKeep(ids: readonly string[], keep: Keep): Set<string> {
  const newestFirst = ids.toSorted().reverse();
  return new Set([
    ...newestFirst.filter((id) => millisecondsOf(newestFirst[0] ?? id) - millisecondsOf(id) < dayMilliseconds),
    ...newestOfEach(newestFirst, dayOf, keep.days),
    ...newestOfEach(newestFirst, weekOf, keep.weeks),
    ...newestOfEach(newestFirst, monthOf, keep.months),
  ]);
}
