import { Flex, Skeleton } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import type { ApiError } from '../api/api-error.ts';
import { failedWithoutData } from '../api/query.ts';
import { DataTable, type Column, type RowChoice, type Sort } from './DataTable.tsx';
import { ErrorState } from './ErrorState.tsx';
import classes from './ListView.module.css';
import { Pager, type PageMeta } from './Pager.tsx';
import { useLastPage } from './use-last-page.ts';

const line = '1px solid var(--line)';

type Props<Row> = {
  query: UseQueryResult<{ data: Row[]; meta: PageMeta }, ApiError>;
  label: string;
  columns: readonly Column<Row>[];
  rowKey: (row: Row) => number | string;
  card?: (row: Row) => ReactNode;
  /** The empty state. */
  empty: ReactNode;
  sort?: Sort;
  onSort?: (sort: Sort) => void;
  onPage: (page: number) => void;
  onSize?: (size: number) => void;
  /** The name of its pages, if the screen has several lists. */
  pagesLabel?: string;
  compact?: boolean;
  /** The first column stays in place when the others scroll. */
  pinned?: boolean;
  choice?: RowChoice<Row>;
  groupOf?: ((row: Row) => string) | undefined;
};

/** A page of a list in each state: loading, rows, refetching, empty, error. */
export function ListView<Row>({ query, empty, onPage, onSize, pagesLabel, ...table }: Props<Row>) {
  useLastPage(query, onPage);
  if (query.isPending) return <ListSkeleton />;
  if (failedWithoutData(query)) return <ErrorState error={query.error} onRetry={() => void query.refetch()} />;
  const { data: rows, meta } = query.data;
  return (
    <>
      {rows.length > 0 ? (
        <DataTable {...table} rows={rows} stale={query.isPlaceholderData} />
      ) : (
        <div className={classes['fill']}>{meta.total > 0 ? <ListSkeleton /> : empty}</div>
      )}
      {meta.total > 0 && (
        <Pager meta={meta} onPage={onPage} {...(onSize && { onSize })} {...(pagesLabel && { label: pagesLabel })} />
      )}
    </>
  );
}

/** The placeholder of a list that is loading. */
export function ListSkeleton() {
  const t = useTranslations('table');
  return (
    <div className={classes['fill']} data-loading>
      <output className="visually-hidden">{t('loading')}</output>
      {Array.from({ length: 10 }, (_, index) => (
        <Flex key={index} align="center" gap={16} h={53} px={24} style={{ borderBlockEnd: line }} aria-hidden>
          <Skeleton circle height={32} />
          <Skeleton height={10} width={`${22 + ((index * 7) % 12)}%`} />
          <Skeleton height={10} width="14%" />
          <Skeleton height={10} width="18%" />
        </Flex>
      ))}
    </div>
  );
}
