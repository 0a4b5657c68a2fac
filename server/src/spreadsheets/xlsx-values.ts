/** A stored character may take this many: `_x000D_`. */
export const LONGEST_ESCAPE = 7;

/** Decodes `_xHHHH_`, the notation for characters that XML cannot represent. */
export function decodeText(text: string): string {
  if (!text.includes('_x')) return text;
  return text.replace(/_x([0-9A-Fa-f]{4})_/g, (_, code: string) => String.fromCharCode(parseInt(code, 16)));
}

/** Encodes characters that XML cannot represent as `_xHHHH_`, and an underscore that looks like the start of one. */
export function encodeText(text: string): string {
  return text.replace(/_(?=x[0-9A-Fa-f]{4})/g, '_x005F_').replace(/[^\t\n\r\u0020-\uFFFD]/g, (character) => {
    return `_x${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}_`;
  });
}

/**
 * A stored number as a person would type it. Digits in the form of an integer stay unchanged, because they may be an
 * identifier; anything else is rounded to the 15 significant digits that a spreadsheet shows, without an exponent.
 */
export function numberText(stored: string): string {
  const text = stored.trim();
  if (/^-?\d+$/.test(text)) return text;
  const number = Number(text);
  if (text === '' || !Number.isFinite(number)) return text;
  const rounded = Number(number.toPrecision(15));
  const short = String(rounded);
  if (!short.includes('e')) return short;
  return Math.abs(rounded) < 1 ? rounded.toFixed(20).replace(/\.?0+$/, '') : BigInt(rounded).toString();
}

const SECONDS_PER_DAY = 86_400;
const LAST_SERIAL = 2_958_466;

/**
 * The ISO text of a date serial: `2026-04-18`, with a time of day `2026-04-18T14:20:00`, a time alone `14:20:00`. Day
 * 60 of the 1900 system is a 29 February that never existed; it becomes 28 February.
 * @returns undefined for a number that is not a date
 */
export function dateText(serial: number, date1904: boolean): string | undefined {
  if (!(serial >= 0 && serial < LAST_SERIAL)) return undefined;
  const total = Math.round(serial * SECONDS_PER_DAY);
  const days = Math.floor(total / SECONDS_PER_DAY);
  const seconds = total - days * SECONDS_PER_DAY;
  const time = Temporal.PlainTime.from('00:00').add({ seconds }).toString({ smallestUnit: 'second' });
  if (days === 0 && (seconds > 0 || !date1904)) return time;
  const date = date1904 ? dayAfter('1904-01-01', days) : dayAfter(days < 60 ? '1899-12-31' : '1899-12-30', days);
  return seconds === 0 ? date : `${date}T${time}`;
}

function dayAfter(start: string, days: number): string {
  return Temporal.PlainDate.from(start).add({ days }).toString();
}

const BUILT_IN_DATES = [
  [14, 22],
  [27, 36],
  [45, 47],
  [50, 58],
] as const;
// durations such as [h]:mm count hours beyond a day and are not dates
const DURATION = /\[(h+|m+|s+)\]/i;
// The longest code a spreadsheet program accepts; the pattern below is not linear in longer ones.
const LONGEST_CODE = 255;
const LITERALS = /"[^"]*"|\\.|_.|\*.|\[[^\]]*\]/g;

/** Whether a number format shows a date or a time of day. */
export function isDateFormat(id: number, code: string | undefined): boolean {
  if (code === undefined) return id !== 46 && BUILT_IN_DATES.some(([first, last]) => id >= first && id <= last);
  if (code.length > LONGEST_CODE || DURATION.test(code)) return false;
  return /[dmyhs]/i.test(code.replace(LITERALS, '').replace(/General/gi, ''));
}

/** The digits of a format such as `00000`, for employee numbers and postcodes with leading zeros; 0 for others. */
export function zerosOf(code: string | undefined): number {
  if (code === undefined || code.length > LONGEST_CODE) return 0;
  return /^(0{2,})(;|$)/.exec(code.replace(LITERALS, ''))?.[1]?.length ?? 0;
}

/** The zero-based column of a reference such as `AB12`, or -1. */
export function columnOf(reference: string): number {
  let column = 0;
  let index = 0;
  for (; index < reference.length; index++) {
    const letter = reference.charCodeAt(index) - 64;
    if (letter < 1 || letter > 26) break;
    column = column * 26 + letter;
  }
  return index <= 3 ? column - 1 : -1;
}

/** The letters of a zero-based column: 0 is A, 26 is AA. */
export function columnLetters(column: number): string {
  const rest = column < 26 ? '' : columnLetters(Math.floor(column / 26) - 1);
  return rest + String.fromCharCode(65 + (column % 26));
}
