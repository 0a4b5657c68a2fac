import { useTranslations } from 'use-intl';
import { StatusBadge } from '../../ui/StatusBadge.tsx';

const soon = 14;

/** The remaining time of a probation as text. */
export function Countdown({ days }: { days: number }) {
  const t = useTranslations('probationDays');
  const tone = days < 0 ? 'danger' : days <= soon ? 'warn' : 'quiet';
  return <StatusBadge tone={tone} label={days < 0 ? t('over', { days: -days }) : t('left', { days })} />;
}
