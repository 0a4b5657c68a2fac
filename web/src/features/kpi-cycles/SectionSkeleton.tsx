import { Skeleton, Stack } from '@mantine/core';
import { useTranslations } from 'use-intl';

/** The placeholder of figures that are loading. */
export function SectionSkeleton() {
  const t = useTranslations('table');
  return (
    <Stack gap={16} px="gutter" pt={20} pb={32}>
      <output className="visually-hidden">{t('loading')}</output>
      <Skeleton height={86} />
      <Skeleton height={12} width="40%" />
      <Skeleton height={12} width="52%" />
      <Skeleton height={12} width="46%" />
    </Stack>
  );
}
