import { useTranslations } from 'use-intl';

/** A date format with the letters of the language, such as `TT.MM.JJJJ` for `DD.MM.YYYY` in German. */
export function useDateFormatName(): (format: string) => string {
  const t = useTranslations('form');
  return (format) => format.replace('YYYY', t('year')).replace('MM', t('month')).replace('DD', t('day')).toUpperCase();
}
