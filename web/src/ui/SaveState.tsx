import { Box, Button, Group } from '@mantine/core';
import { useFormatter, useTranslations } from 'use-intl';
import type { AutosaveState } from './autosave.ts';

type Props = { state: AutosaveState; onRetry: () => void };

const failed = { c: 'var(--danger)', fw: 550 } as const;

/** The save state of a draft. Only its end is announced, not each start. */
export function SaveState({ state: { phase, savedAt, error, errors }, onRetry }: Props) {
  const t = useTranslations('saveState');
  const format = useFormatter();
  const isFailed = phase === 'failed';
  const why = Object.keys(errors).length > 0 ? t('seeFields') : error?.status === 422 ? error.message : undefined;
  return (
    <Group wrap="nowrap" gap={6} c="var(--ink-2)">
      <Box component="output" {...(isFailed && failed)}>
        {isFailed && [t('notSaved'), why].filter(Boolean).join(' ')}
        {phase === 'saved' && savedAt && t('saved', { time: format.dateTime(savedAt, { timeStyle: 'short' }) })}
      </Box>
      {(phase === 'saving' || phase === 'unsaved') && <span>{t('saving')}</span>}
      {isFailed && (
        <Button variant="subtle" size="compact-sm" onClick={onRetry}>
          {t('retry')}
        </Button>
      )}
    </Group>
  );
}
