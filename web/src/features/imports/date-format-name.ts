import { useTranslations } from 'use-intl';

/** How a file writes days, with the letters of the language: `TT.MM.JJJJ` for `DD.MM.YYYY` in German. */
export function useDateFormatName(): (format: string) => string {
  const t = useTranslations('form');
  return (format) => format.replace('YYYY', t('year')).replace('MM', t('month')).replace('DD', t('day')).toUpperCase();
}
