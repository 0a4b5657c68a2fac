import { Skeleton } from '@mantine/core';
import { useTranslations } from 'use-intl';

/** The placeholder of a chart that is loading, as high as the chart will be, so that nothing below it moves. */
export function ChartSkeleton({ height = 220 }: { height?: number }) {
  const t = useTranslations('table');
  return (
    <div>
      <output className="visually-hidden">{t('loading')}</output>
      <Skeleton height={height} />
    </div>
  );
}
