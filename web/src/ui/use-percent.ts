import { useFormatter } from 'use-intl';

/** Hundredths of a percent as people read them: 33.34 %. */
export function usePercent() {
  const format = useFormatter();
  return (hundredths: number) =>
    format.number(hundredths / 10_000, { style: 'percent', minimumFractionDigits: 2, maximumFractionDigits: 2 });
}
