import ical, { ICalEventTransparency } from 'ical-generator';

/** An all-day entry of a calendar. */
export type Entry = {
  /** The same at every read, and unlike those of other entries of the calendar. */
  id: string;
  day: string;
  summary: string;
  /** The screen it leads to. */
  path: string;
  stamp: string;
};

export type Calendar = { id: number; name: string; app: string; entries: readonly Entry[] };

/** Control characters have no place in a calendar, whose lines they would break. */
const plain = (text: string) => text.replaceAll(/\p{Cc}+/gu, ' ').toWellFormed();

const hourly = 3_600;

/** A calendar as RFC 5545 writes it. */
export function calendarText({ id, name, app, entries }: Calendar): string {
  const calendar = ical({ name: plain(name), prodId: { company: 'Tenure', product: 'Tenure' }, ttl: hourly });
  const { host } = new URL(app);
  for (const { id: entry, day, summary, path, stamp } of entries)
    calendar.createEvent({
      id: `${entry}.${id}@${host}`,
      start: new Date(`${day}T00:00:00Z`),
      allDay: true,
      stamp: new Date(stamp),
      summary: plain(summary),
      url: `${app}${path}`,
      // a day with a task is not a busy day
      transparency: ICalEventTransparency.TRANSPARENT,
    });
  // the library leaves the last line without its end
  return `${calendar.toString()}\r\n`;
}
