import type { EvaluationStatus as Status } from '@tenure/contract';
import { useTranslations } from 'use-intl';
import { StatusBadge, type Tone } from '../ui/StatusBadge.tsx';

const tones: Record<Status, Tone> = {
  self_assessment: 'info',
  manager_review: 'info',
  hr_review: 'info',
  pending_acceptance: 'warn',
  accepted: 'good',
  disputed: 'danger',
  completed: 'good',
  cancelled: 'quiet',
};

/** The status of an evaluation. */
export function EvaluationStatus({ status }: { status: Status }) {
  const t = useTranslations('evaluationStatus');
  return <StatusBadge tone={tones[status]} label={t(status)} />;
}
