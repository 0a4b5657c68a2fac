import type { AbsenceDays } from '@tenure/contract';
import { useFormatter, useTranslations } from 'use-intl';
import { StatusBadge } from './StatusBadge.tsx';

/** A badge with the end of a person's absence, if known. */
export function AbsenceBadge({ absence: { last_day: last } }: { absence: AbsenceDays }) {
  const t = useTranslations('employeeStatus');
  const format = useFormatter();
  if (last === null) return <StatusBadge tone="warn" label={t('absent')} />;
  const day = format.dateTime(new Date(`${last}T00:00:00Z`), { dateStyle: 'medium', timeZone: 'UTC' });
  return <StatusBadge tone="warn" label={t('absentUntil', { day })} />;
}
