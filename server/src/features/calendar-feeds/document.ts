import ical, { ICalEventTransparency } from 'ical-generator';

/** An all-day event. */
export type Entry = {
  /** The same at every read, and unique in the calendar. */
  id: string;
  day: string;
  summary: string;
  /** The screen that the event links to. */
  path: string;
  stamp: string;
};

export type Calendar = { id: number; name: string; app: string; entries: readonly Entry[] };

/** Control characters would break the lines of the calendar. */
const plain = (text: string) => text.replaceAll(/\p{Cc}+/gu, ' ').toWellFormed();

const hourly = 3_600;

/** The calendar in the format of RFC 5545. */
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
      // a task does not make its day busy
      transparency: ICalEventTransparency.TRANSPARENT,
    });
  // the library omits the line break at the end
  return `${calendar.toString()}\r\n`;
}
