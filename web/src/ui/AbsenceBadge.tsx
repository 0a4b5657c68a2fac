import type { AbsenceDays } from '@tenure/contract';
import { useTranslations } from 'use-intl';
import { StatusBadge } from './StatusBadge.tsx';
import { useDayText } from './use-day-text.ts';

/** A badge with the end of a person's absence, if known. */
export function AbsenceBadge({ absence: { last_day: last } }: { absence: AbsenceDays }) {
  const t = useTranslations('employeeStatus');
  const dayText = useDayText();
  if (last === null) return <StatusBadge tone="warn" label={t('absent')} />;
  const day = dayText(last);
  return <StatusBadge tone="warn" label={t('absentUntil', { day })} />;
}
