import { useFormatter, useLocale } from 'use-intl';
import { decimalSignOf, readNumber } from './numbers.ts';

/** Formats a percentage with up to `most` decimals, and at least `least`; a dash for none. */
export function usePercent(most: number, least = 0) {
  const format = useFormatter();
  const options = { style: 'percent', minimumFractionDigits: least, maximumFractionDigits: most } as const;
  return (value: number | null) => (value === null ? '–' : format.number(value / 100, options));
}

/**
 * Formats the result of one person, on every page with the same decimals: bands begin at hundredths, so that a rounded
 * one may be in another band. Figures about several people have one decimal at most.
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
