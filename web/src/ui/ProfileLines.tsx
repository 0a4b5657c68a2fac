import { Skeleton, Stack } from '@mantine/core';
import { useTranslations } from 'use-intl';

/** Stands for what is still being read. */
export function ProfileLines() {
  const t = useTranslations('table');
  return (
    <Stack gap={14} p={24}>
      <output className="visually-hidden">{t('loading')}</output>
      <Skeleton height={20} width="28%" />
      <Skeleton height={12} width="42%" />
      <Skeleton height={12} width="36%" />
      <Skeleton height={12} width="48%" />
    </Stack>
  );
}
