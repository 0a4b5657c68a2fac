/** The decimal separator of a language. */
export type DecimalSign = '.' | ',';

export const decimalSignOf = (locale: string): DecimalSign =>
  new Intl.NumberFormat(locale).formatToParts(1.5).some(({ type, value }) => type === 'decimal' && value === ',')
    ? ','
    : '.';

/**
 * Parses a number: `1.250,5` if the decimal separator is a comma, `1,250.5` if it is a point. A sign that cannot separate
 * thousands counts as the decimal one, so `33.34` works in every language. Undefined if the text is not a number.
 */
export function readNumber(text: string, sign: DecimalSign): number | undefined {
  const thousands = sign === ',' ? '.' : ',';
  const given = text.replaceAll(/[\s\u00a0\u202f]/g, '').replace('−', '-');
  const grouped = new RegExp(`^-?\\d{1,3}(\\${thousands}\\d{3})+(\\${sign}\\d+)?$`);
  const plain = grouped.test(given) ? given.replaceAll(thousands, '') : given;
  const number = plain.replace(/[.,]/, '.');
  return /^-?\d+(\.\d*)?$/.test(number) || /^-?\.\d+$/.test(number) ? Number(number) : undefined;
}

/** A number as a field shows it: no thousands separators, the language's decimal separator. */
export const writeNumber = (value: number | null, sign: DecimalSign): string =>
  value === null ? '' : String(value).replace('.', sign);

/** The value to send for a number field: null if empty; other text is sent unchanged and refused by the service. */
export const sentNumber = (text: string, sign: DecimalSign): number | string | null => {
  const trimmed = text.trim();
  return trimmed === '' ? null : (readNumber(trimmed, sign) ?? trimmed);
};
