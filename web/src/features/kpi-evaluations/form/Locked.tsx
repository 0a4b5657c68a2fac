import { IconLock } from '@tabler/icons-react';
import type { KpiEvaluation } from '@tenure/contract';
import { useTranslations } from 'use-intl';
import { useSession } from '../../../api/session.tsx';
import { useDayText } from '../../../ui/use-day-text.ts';
import classes from '../../../ui/RecordPage.module.css';

/** The reason why the form is read-only, and what the reader can do next. */
export function Locked({ evaluation }: { evaluation: KpiEvaluation }) {
  const t = useTranslations('kpiEvaluationLocked');
  const { user } = useSession();
  const dayText = useDayText('long');
  const { status, employee, reviewer, acceptance_due_on: due } = evaluation;
  const key = lockedKey(evaluation, user?.employee_id ?? null);
  const name = status === 'manager_review' ? (reviewer?.name ?? '') : employee.name;
  const day = due === null ? '' : dayText(due);
  return (
    <p className={classes['line']} data-screen>
      <IconLock size={15} aria-hidden />
      <span>{t(key satisfies `locked.${string}` | `own.${string}` | `yours.${string}`, { name, day })}</span>
    </p>
  );
}

/** The text for this reader: of their own evaluation, of a step that is theirs, or of someone else’s. */
function lockedKey(evaluation: KpiEvaluation, me: number | null) {
  const { status, employee_id: subject, reviewer_id: reviewer, allowed_actions: allowed } = evaluation;
  const writer = status === 'self_assessment' ? subject : status === 'manager_review' ? reviewer : null;
  if (writer !== null && writer === me) return 'locked.window';
  const isOwn = subject === me;
  if (status === 'manager_review' && reviewer === null) return isOwn ? 'own.no_reviewer' : 'locked.no_reviewer';
  if (isOwn && status !== 'self_assessment') return ownKey(status, evaluation);
  if (status === 'accepted' && allowed.includes('close')) return 'yours.accepted';
  if (status === 'disputed' && allowed.includes('resolve-dispute')) return 'yours.disputed';
  if (allowed.includes('record-answer')) return 'yours.record';
  if (allowed.includes('deem-accepted')) return 'yours.deem';
  if (status === 'pending_acceptance' && !evaluation.person_signs_in) return 'locked.record';
  return `locked.${status}` as const;
}

type OwnStatus = Exclude<KpiEvaluation['status'], 'self_assessment'>;

function ownKey(status: OwnStatus, { acceptance_due_on: due, acceptance_mode: mode, today }: KpiEvaluation) {
  if (status === 'pending_acceptance' && due !== null && due < today) return 'own.late';
  if (status === 'accepted' && mode !== 'employee') return 'own.lapsed';
  return `own.${status}` as const;
}
