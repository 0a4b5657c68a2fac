import { useFormatter, useLocale } from 'use-intl';
import { decimalSignOf, readNumber } from './numbers.ts';

/** Formats a percentage with up to `most` decimals, and at least `least`; a dash for none. */
export function usePercent(most: number, least = 0) {
  const format = useFormatter();
  const options = { style: 'percent', minimumFractionDigits: least, maximumFractionDigits: most } as const;
  return (value: number | null) => (value === null ? '–' : format.number(value / 100, options));
}

/**
 * Formats the result of one person with the same decimals on every page: bands begin at hundredths, so a rounded result
 * may fall in another band. Figures about several people have one decimal at most.
 */
export const useResult = () => usePercent(2);

/** Formats a percentage as typed in a field; other text stays as it is. */
export function useTypedPercent() {
  const percent = usePercent(4);
  const sign = decimalSignOf(useLocale());
  return (text: string) => {
    const value = readNumber(text, sign);
    return value === undefined ? text : percent(value);
  };
}
