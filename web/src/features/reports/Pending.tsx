import { Skeleton } from '@mantine/core';
import { useTranslations } from 'use-intl';

/** Stands where a chart will be. */
export function Pending() {
  const t = useTranslations('table');
  return (
    <div>
      <output className="visually-hidden">{t('loading')}</output>
      <Skeleton height={220} />
    </div>
  );
}
