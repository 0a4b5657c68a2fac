import type { ProbationOutcome } from '@tenure/contract';
import { useTranslations } from 'use-intl';
import { useTypedPercent } from '../../../ui/use-percent.ts';
import { criteriaOf } from './values.ts';

/** The value of a field as text. */
export function useShownValue() {
  const t = useTranslations('probationReview');
  const percent = useTypedPercent();
  const outcomes = useTranslations('probationOutcome');
  return (name: string, value: string): string => {
    if (name === 'recommendation') return outcomes(value as ProbationOutcome);
    if (name === 'extension_months') return t('months', { months: Number(value) });
    if (name === 'performance_rating')
      return t('ratingOf', { rating: Number(value), word: t(`ratings.${value as '1'}`) });
    if (name !== 'criteria') return value;
    return criteriaOf(value)
      .map(({ name: title, weight, rating, comment }) =>
        [title, percent(weight), rating, comment].filter((part) => part !== '').join(' · '),
      )
      .join('\n');
  };
}
