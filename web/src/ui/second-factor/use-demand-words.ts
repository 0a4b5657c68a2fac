import { useFormatter, useTranslations } from 'use-intl';
import { dayInUtc } from './days.ts';

/** From which day on a second factor is required, as text. */
export function useDemandWords(): (from: string | null) => string {
  const t = useTranslations('signInRules');
  const format = useFormatter();
  return (from) => {
    if (from === null) return t('notRequired');
    const date = format.dateTime(new Date(`${from}T00:00:00Z`), { dateStyle: 'medium', timeZone: 'UTC' });
    return t(from > dayInUtc() ? 'from' : 'since', { date });
  };
}
