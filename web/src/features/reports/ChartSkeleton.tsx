import { Skeleton } from '@mantine/core';
import { useTranslations } from 'use-intl';

/** The placeholder of a chart that is loading. */
export function ChartSkeleton() {
  const t = useTranslations('table');
  return (
    <div>
      <output className="visually-hidden">{t('loading')}</output>
      <Skeleton height={220} />
    </div>
  );
}
