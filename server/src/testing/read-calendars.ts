import fc from 'fast-check';
import ICAL from 'ical.js';
import { expect } from 'vitest';
import { calendarText } from '../features/calendar-feeds/document.ts';

// Reads calendars with another vendor's parser: it finds what was put in, and no line is too long.

const anyText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 60 }),
  fc.string({ unit: 'grapheme', maxLength: 120 }),
  fc.constantFrom('', ' ', 'END:VEVENT\r\nBEGIN:VEVENT', 'a\\nb', '\\;,:"^', '\r\n ', '\ud800x', 'Ärger; Öl, 100\\%'),
);
const day = fc
  .date({ min: new Date('1970-01-01'), max: new Date('2999-12-31'), noInvalidDate: true })
  .map((date) => date.toISOString().slice(0, 10));
const entry = fc.record({
  id: fc.stringMatching(/^[a-z_]{3,30}-[0-9]{1,9}$/),
  day,
  summary: anyText,
  path: fc.stringMatching(/^\/[a-z/]{1,20}(\?[a-z]{1,8}=[a-z_]{1,40})?$/),
  stamp: fc
    .date({ min: new Date('2000-01-01'), max: new Date('2100-01-01'), noInvalidDate: true })
    .map((date) => date.toISOString()),
});
const calendar = fc.record({
  id: fc.integer({ min: 1, max: 1e9 }),
  name: anyText,
  app: fc.constantFrom('https://hr.example.com', 'http://localhost:8000'),
  entries: fc.uniqueArray(entry, { maxLength: 4, selector: ({ id }) => id }),
});

/** What remains of a text: control characters become blanks, and lone surrogates are replaced. */
const kept = (text: string) => text.replaceAll(/\p{Cc}+/gu, ' ').toWellFormed();

/** Reads this many calendars back. Returns how many were correct. */
export function readBack(numRuns: number): number {
  let read = 0;
  fc.assert(
    fc.property(calendar, (wanted) => {
      const written = calendarText(wanted);
      const lines = written.split('\r\n');
      expect(lines.filter((line) => Buffer.byteLength(line) > 75 || /[\r\n]/.test(line))).toEqual([]);
      const root = new ICAL.Component(ICAL.parse(written) as never);
      expect(root.getFirstPropertyValue('x-wr-calname') ?? '').toBe(kept(wanted.name));
      const found = root.getAllSubcomponents('vevent').map((component) => {
        const { uid, summary, startDate } = new ICAL.Event(component);
        return {
          uid,
          summary: summary ?? '',
          day: startDate.toString(),
          isDate: startDate.isDate,
          url: component.getFirstPropertyValue('url'),
        };
      });
      const { host } = new URL(wanted.app);
      expect(found).toEqual(
        wanted.entries.map((one) => ({
          uid: `${one.id}.${wanted.id}@${host}`,
          summary: kept(one.summary),
          day: one.day,
          isDate: true,
          url: wanted.app + one.path,
        })),
      );
      read += 1;
    }),
    { numRuns },
  );
  return read;
}
