import { Button } from '@mantine/core';
import { employeeImports, type ImportRow } from '@tenure/contract';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useTranslations } from 'use-intl';
import { load } from '../../api/query.ts';
import { paths } from '../../paths.ts';
import type { Column } from '../../ui/DataTable.tsx';
import { CardOf } from '../../ui/CardOf.tsx';
import { Moment } from '../../ui/Dates.tsx';
import { ErrorState } from '../../ui/ErrorState.tsx';
import { ListView } from '../../ui/ListView.tsx';
import { Message } from '../../ui/Message.tsx';
import { PageHeader } from '../../ui/PageHeader.tsx';
import { StatusBadge, type Tone } from '../../ui/StatusBadge.tsx';
import classes from './imports.module.css';

const route = getRouteApi('/shell/imports');

const tones: Record<ImportRow['status'], Tone> = {
  processing: 'info',
  needs_mapping: 'warn',
  preview: 'warn',
  completed: 'good',
  failed: 'danger',
  undone: 'quiet',
  expired: 'quiet',
};

/** Every import with what became of it; an unfinished one is continued from here. */
export function ImportsPage() {
  const t = useTranslations('imports');
  const { page } = route.useSearch();
  const navigate = route.useNavigate();
  const query = useQuery({
    ...load(employeeImports.list, { query: { page, sort_by: 'created_at', sort_direction: 'desc' } }),
    placeholderData: keepPreviousData,
  });
  const columns = useColumns();
  if (query.error?.status === 403) return <ErrorState page error={query.error} onRetry={() => void query.refetch()} />;
  const start = (
    <Button component={Link} to={paths.newImport}>
      {t('start')}
    </Button>
  );
  return (
    <>
      <PageHeader title={t('listTitle')} lead={t('listLead')}>
        {start}
      </PageHeader>
      <ListView
        query={query}
        label={t('listTitle')}
        columns={columns}
        rowKey={(row) => row.id}
        card={(row) => <CardOf columns={columns} row={row} />}
        onPage={(next) => void navigate({ search: { page: next } })}
        empty={<Message title={t('noImports')}>{t('newLead')}</Message>}
      />
    </>
  );
}

function useColumns(): Column<ImportRow>[] {
  const t = useTranslations('imports');
  return [
    {
      id: 'file',
      header: t('file'),
      cell: (row) => (
        <Link to={paths.import} params={{ id: String(row.id) }} className={classes['fileLink']}>
          <bdi>{row.file_name}</bdi>
        </Link>
      ),
    },
    {
      id: 'status',
      header: t('state'),
      cell: (row) => <StatusBadge tone={tones[row.status]} label={t(`status.${row.status}`)} />,
    },
    { id: 'at', header: t('at'), cell: (row) => <Moment value={row.created_at} /> },
    { id: 'rows', header: t('rows'), cell: (row) => <span className="numbers">{row.counts.total}</span> },
    { id: 'created', header: t('done.created'), cell: (row) => <span className="numbers">{row.counts.created}</span> },
    { id: 'updated', header: t('done.updated'), cell: (row) => <span className="numbers">{row.counts.updated}</span> },
    { id: 'failed', header: t('done.failed'), cell: (row) => <span className="numbers">{row.counts.failed}</span> },
    { id: 'by', header: t('by'), cell: (row) => row.created_by.name },
  ];
}
