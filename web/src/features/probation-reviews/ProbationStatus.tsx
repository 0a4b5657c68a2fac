import type { ProbationReviewRow, ProbationStatus as Status } from '@tenure/contract';
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

type Props = Pick<ProbationReviewRow, 'status'> & Partial<Pick<ProbationReviewRow, 'milestone'>>;

/** The status of a probation review; an interim review is shared, not decided. */
export function ProbationStatus({ status, milestone = 'final' }: Props) {
  const t = useTranslations('probationStatus');
  const isShared = status === 'approved' && milestone !== 'final';
  return <StatusBadge tone={tones[status]} label={t(isShared ? 'shared' : status)} />;
}

/** The decision; renders nothing if it was reversed. */
export function ProbationDecision({ status, outcome }: Pick<ProbationReviewRow, 'status' | 'outcome'>) {
  const t = useTranslations('probationDecided');
  return outcome && status !== 'reverted' ? t(outcome) : null;
}
