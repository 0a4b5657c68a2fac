import { useTranslations } from 'use-intl';
import { useDayText } from '../use-day-text.ts';
import { dayInUtc } from './days.ts';

/** From which day on a second factor is required, as text. */
export function useDemandWords(): (from: string | null) => string {
  const t = useTranslations('signInRules');
  const dayText = useDayText();
  return (from) => {
    if (from === null) return t('notRequired');
    const date = dayText(from);
    return t(from > dayInUtc() ? 'from' : 'since', { date });
  };
}
