import type { ProbationStatus as Status } from '@tenure/contract';
import { useTranslations } from 'use-intl';
import { StatusBadge, type Tone } from '../../ui/StatusBadge.tsx';

const tones: Record<Status, Tone> = {
  pending: 'info',
  submitted: 'warn',
  sent_back: 'warn',
  approved: 'good',
  cancelled: 'quiet',
  reverted: 'quiet',
};

/** The status of a probation review. */
export function ProbationStatus({ status }: { status: Status }) {
  const t = useTranslations('probationStatus');
  return <StatusBadge tone={tones[status]} label={t(status)} />;
}
