import { Skeleton } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import type { ApiError } from '../api/api-error.ts';
import { failedWithoutData } from '../api/query.ts';
import { ErrorState } from '../ui/ErrorState.tsx';
import classes from '../ui/RecordPage.module.css';

type Props<Row> = {
  query: UseQueryResult<{ data: Row }, ApiError>;
  children: (record: Row) => ReactNode;
};

/** The page of a workflow record while it loads, after an error, and with its content. */
export function RecordQuery<Row>({ query, children }: Props<Row>) {
  const t = useTranslations('table');
  if (failedWithoutData(query)) return <ErrorState page error={query.error} onRetry={() => void query.refetch()} />;
  if (query.data) return children(query.data.data);
  return (
    <div className={classes['skeleton']}>
      <output className="visually-hidden">{t('loading')}</output>
      <Skeleton height={26} width="18rem" />
      <Skeleton height={12} width="26rem" maw="100%" />
      <Skeleton height={24} />
      <Skeleton height={320} />
    </div>
  );
}
