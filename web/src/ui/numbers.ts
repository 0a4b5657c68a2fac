/** The sign between units and tenths, as a language writes it. */
export type DecimalSign = '.' | ',';

export const decimalSignOf = (locale: string): DecimalSign =>
  new Intl.NumberFormat(locale).formatToParts(1.5).some(({ type, value }) => type === 'decimal' && value === ',')
    ? ','
    : '.';

/**
 * Reads a number as people write it: `1.250,5` where the sign is a comma, `1,250.5` where it is a point. A sign that
 * stands in no place of a thousand counts as the decimal one, so `33.34` is understood everywhere. Undefined for what
 * is no number.
 */
export function readNumber(text: string, sign: DecimalSign): number | undefined {
  const thousands = sign === ',' ? '.' : ',';
  const given = text.replaceAll(/[\s\u00a0\u202f]/g, '').replace('−', '-');
  const grouped = new RegExp(`^-?\\d{1,3}(\\${thousands}\\d{3})+(\\${sign}\\d+)?$`);
  const plain = grouped.test(given) ? given.replaceAll(thousands, '') : given;
  const number = plain.replace(/[.,]/, '.');
  return /^-?\d+(\.\d*)?$/.test(number) || /^-?\.\d+$/.test(number) ? Number(number) : undefined;
}

/** A number as a field shows it: without thousands, with the sign of the language. */
export const writeNumber = (value: number | null, sign: DecimalSign): string =>
  value === null ? '' : String(value).replace('.', sign);

/** What the service is sent for the text of a number: null for nothing, what is no number as it is, to be refused. */
export const sentNumber = (text: string, sign: DecimalSign): number | string | null => {
  const trimmed = text.trim();
  return trimmed === '' ? null : (readNumber(trimmed, sign) ?? trimmed);
};
