import { Skeleton } from '@mantine/core';
import { useTranslations } from 'use-intl';
import classes from './cycle.module.css';

/** Stands where figures will be. */
export function Lines() {
  const t = useTranslations('table');
  return (
    <div className={classes['lines']}>
      <output className="visually-hidden">{t('loading')}</output>
      <Skeleton height={86} />
      <Skeleton height={12} width="40%" />
      <Skeleton height={12} width="52%" />
      <Skeleton height={12} width="46%" />
    </div>
  );
}
