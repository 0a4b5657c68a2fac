import { isDay } from '@tenure/contract';
import type { dateFormats } from '@tenure/contract';
import { yearOf } from '@tenure/contract/import-years';

export type DateFormat = (typeof dateFormats)[number];

const patterns: Record<DateFormat, RegExp> = {
  'YYYY-MM-DD': /^(?<year>\d{4})-(?<month>\d{1,2})-(?<day>\d{1,2})$/,
  'YYYY/MM/DD': /^(?<year>\d{4})\/(?<month>\d{1,2})\/(?<day>\d{1,2})$/,
  YYYYMMDD: /^(?<year>\d{4})(?<month>\d{2})(?<day>\d{2})$/,
  DDMMYYYY: /^(?<day>\d{2})(?<month>\d{2})(?<year>\d{4})$/,
  'DD/MM/YYYY': /^(?<day>\d{1,2})\/(?<month>\d{1,2})\/(?<year>\d{4}|\d{2})$/,
  'MM/DD/YYYY': /^(?<month>\d{1,2})\/(?<day>\d{1,2})\/(?<year>\d{4}|\d{2})$/,
  'DD.MM.YYYY': /^(?<day>\d{1,2})\.(?<month>\d{1,2})\.(?<year>\d{4}|\d{2})$/,
  'DD-MM-YYYY': /^(?<day>\d{1,2})-(?<month>\d{1,2})-(?<year>\d{4}|\d{2})$/,
};

/** Converts a date in the file's format to `YYYY-MM-DD`; its year may have two digits. Anything else stays. */
export function readDate(text: string, format: DateFormat): string {
  const parts = patterns[format].exec(text)?.groups;
  if (!parts) return text;
  return `${yearOf(parts.year ?? '')}-${parts.month?.padStart(2, '0')}-${parts.day?.padStart(2, '0')}`;
}

/** True for text that a format reads as an existing day. */
export const readsDate = (text: string, format: DateFormat): boolean => isDay(readDate(text, format));

/** How SAP and payroll programs express that there is no end. */
export const isEndless = (day: string): boolean => day === '9999-12-31';
