import type { KpiEvaluation } from '@tenure/contract';
import { useTranslations } from 'use-intl';
import { Notice } from '../../../ui/Notice.tsx';
import { useDayText } from '../../../ui/use-day-text.ts';
import classes from '../../../ui/RecordPage.module.css';

type Props = { evaluation: KpiEvaluation };

const inWork: readonly KpiEvaluation['status'][] = ['self_assessment', 'manager_review'];

/** Requested extensions and other exceptions. */
export const ExceptionsPart = (props: Props) => (
  <>
    <Extension {...props} />
    <Exceptions {...props} />
  </>
);

function Extension({ evaluation: { extension, status } }: Props) {
  const t = useTranslations('kpiEvaluationTurns');
  const dayText = useDayText();
  if (!extension || status !== extension.step) return null;
  const { reason, note, until, status: decision } = extension;
  return (
    <Notice>
      <div className={classes['told']}>
        <p>
          {t(`extension.${decision}`, {
            day: until === null ? '' : dayText(until),
          })}
        </p>
        {decision === 'pending' && <p>{t('because', { reason })}</p>}
        {decision !== 'pending' && note !== null && <p>{t('because', { reason: note })}</p>}
      </div>
    </Notice>
  );
}

/** Exceptions from the usual process, each with its reason. */
function Exceptions({ evaluation }: Props) {
  const t = useTranslations('kpiEvaluationTurns');
  const { status, return_reason: returned, dispute_reason: disputed, dispute_result: result } = evaluation;
  const turns = [
    inWork.includes(status) && returned !== null && t('turn.sentBack', { reason: returned }),
    evaluation.self_skipped && evaluation.skip_reason !== null && t('turn.skipped', { reason: evaluation.skip_reason }),
    status === 'hr_review' &&
      evaluation.reopen_reason !== null &&
      t('turn.reopened', { reason: evaluation.reopen_reason }),
    disputed !== null && t('turn.disputed', { reason: disputed }),
    result !== null &&
      t(`turn.${result}`, {
        name: evaluation.dispute_resolved_by?.name ?? '',
        reason: evaluation.dispute_resolution ?? '',
      }),
    evaluation.close_reason !== null && t('turn.closed', { reason: evaluation.close_reason }),
    status === 'cancelled' && t('turn.cancelled', { reason: evaluation.cancel_reason ?? '' }),
  ].filter((text) => text !== false);
  if (turns.length === 0) return null;
  return (
    <Notice kind="history">
      <div className={classes['told']}>
        {turns.map((text) => (
          <p key={text}>{text}</p>
        ))}
      </div>
    </Notice>
  );
}
