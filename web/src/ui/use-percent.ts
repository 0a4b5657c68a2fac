import { useFormatter } from 'use-intl';

/** Formats hundredths of a percent: 33.34 %. */
export function usePercent() {
  const format = useFormatter();
  return (hundredths: number) =>
    format.number(hundredths / 10_000, { style: 'percent', minimumFractionDigits: 2, maximumFractionDigits: 2 });
}
