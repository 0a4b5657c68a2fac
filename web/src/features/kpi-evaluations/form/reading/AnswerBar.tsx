import { Button } from '@mantine/core';
import type { KpiEvaluation } from '@tenure/contract';
import { useTranslations } from 'use-intl';
import { FootBar } from '../../../../ui/FootBar.tsx';
import { useDayText } from '../../../../ui/use-day-text.ts';
import type { EvaluationAction } from '../search.ts';

type Props = { evaluation: KpiEvaluation; onDo: (action: EvaluationAction) => void };

/** The buttons to answer a result, which stay in view while it is read. */
export function AnswerBar({ evaluation, onDo }: Props) {
  const t = useTranslations('kpiEvaluation');
  const r = useTranslations('kpiEvaluationReading');
  const dayText = useDayText('long');
  const { allowed_actions: allowed, acceptance_due_on: due } = evaluation;
  const day = due && dayText(due);
  return (
    <FootBar
      label={r('answer')}
      actions={
        <>
          {allowed.includes('dispute') && (
            <Button variant="default" onClick={() => onDo('dispute')}>
              {t('do.dispute')}
            </Button>
          )}
          {allowed.includes('accept') && <Button onClick={() => onDo('accept')}>{t('do.accept')}</Button>}
        </>
      }
    >
      {day && allowed.includes('dispute') && <span>{r('answerBy', { day })}</span>}
    </FootBar>
  );
}
