import { Button } from '@mantine/core';
import type { KpiEvaluation } from '@tenure/contract';
import { useTranslations } from 'use-intl';
import { Notice } from '../../../ui/Notice.tsx';
import type { Texts } from '../../../ui/versions.ts';
import { useFieldName, useShownValue } from './Conflict.tsx';
import classes from '../../../ui/RecordPage.module.css';

type Props = { texts: Texts; evaluation: KpiEvaluation; onDone: () => void };

/** The evaluation went on while somebody wrote: what could not be saved any more stays here to be copied. */
export function UnsavableEdits({ texts, evaluation, onDone }: Props) {
  const t = useTranslations('kpiEvaluationWhole');
  const label = useFieldName(evaluation);
  const show = useShownValue();
  const lines = Object.entries(texts).filter(([, text]) => text.trim() !== '');
  return (
    <div className={classes['standing']}>
      <Notice kind="history">
        <div className={classes['told']}>
          <p>{t('unsavable')}</p>
          {lines.map(([name, text]) => (
            <p key={name}>
              <b>{label(name)}</b>: {show(name, text)}
            </p>
          ))}
          <Button size="compact-sm" variant="default" onClick={onDone}>
            {t('unsavableDone')}
          </Button>
        </div>
      </Notice>
    </div>
  );
}
