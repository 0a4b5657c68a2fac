import { Box, Progress, Stack } from '@mantine/core';
import { useTranslations } from 'use-intl';
import { Notice } from '../../ui/Notice.tsx';
import { publishedPart } from './CycleProgress.tsx';
import type { PublishingState } from './use-end-of-publishing.ts';

/** Background publishing: the service continues after the user leaves the page. */
export function Publishing({ state }: { state: PublishingState }) {
  const t = useTranslations('kpiCycles');
  if (!state) return null;
  const { processed, total, isDone } = state;
  if (isDone)
    return (
      <Box px="gutter" pb={12}>
        <Notice>{total === undefined ? t('publishingAllDone') : t('publishingDone', { count: total })}</Notice>
      </Box>
    );
  const part = publishedPart(state);
  return (
    <Stack gap={6} px="gutter" pb={12} fz="sm">
      <p className="numbers">
        {processed === undefined || total === undefined
          ? t('publishingUncounted')
          : t('publishingProgress', { processed, total })}
      </p>
      <Progress.Root size="lg">
        <Progress.Section value={(part ?? 1) * 100} animated={part === undefined} aria-label={t('publishingNow')} />
      </Progress.Root>
      <p className="muted">{t('mayLeave')}</p>
    </Stack>
  );
}
