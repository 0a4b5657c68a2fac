import { Box, Progress, Stack } from '@mantine/core';
import { useTranslations } from 'use-intl';
import { Notice } from '../../ui/Notice.tsx';
import type { PublishingState } from './use-end-of-publishing.ts';

/** Background publishing: the service continues after the user leaves the page. */
export function Publishing({ state }: { state: PublishingState }) {
  const t = useTranslations('kpiCycles');
  if (!state) return null;
  const { processed, total, isDone } = state;
  if (isDone)
    return (
      <Box px="gutter" pb={12}>
        <Notice>{t('publishingDone', { count: total })}</Notice>
      </Box>
    );
  return (
    <Stack gap={6} px="gutter" pb={12} fz="sm">
      <p className="numbers">{t('publishingProgress', { processed, total })}</p>
      <Progress.Root size="lg">
        <Progress.Section value={total > 0 ? (processed / total) * 100 : 0} aria-label={t('publishingNow')} />
      </Progress.Root>
      <p className="muted">{t('mayLeave')}</p>
    </Stack>
  );
}
