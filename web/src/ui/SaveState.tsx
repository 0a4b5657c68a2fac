import { Button } from '@mantine/core';
import { useFormatter, useTranslations } from 'use-intl';
import type { AutosaveState } from './autosave.ts';
import classes from './SaveState.module.css';

type Props = { state: AutosaveState; onRetry: () => void };

/** Whether what was written is saved. Only the end of it is announced, not each time it begins. */
export function SaveState({ state: { phase, savedAt, error, errors }, onRetry }: Props) {
  const t = useTranslations('saveState');
  const format = useFormatter();
  const isFailed = phase === 'failed';
  const why = Object.keys(errors).length > 0 ? t('seeFields') : error?.status === 422 ? error.message : undefined;
  return (
    <div className={classes['saving']}>
      <output data-failed={isFailed || undefined}>
        {isFailed && [t('notSaved'), why].filter(Boolean).join(' ')}
        {phase === 'saved' && savedAt && t('saved', { time: format.dateTime(savedAt, { timeStyle: 'short' }) })}
      </output>
      {(phase === 'saving' || phase === 'unsaved') && <span>{t('saving')}</span>}
      {isFailed && (
        <Button variant="subtle" size="compact-sm" onClick={onRetry}>
          {t('retry')}
        </Button>
      )}
    </div>
  );
}
