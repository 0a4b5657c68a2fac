import { jobHistory, type JobHistoryRow } from '@tenure/contract';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import { load } from '../../../api/query.ts';
import type { Column } from '../../../ui/DataTable.tsx';
import { Day } from '../../../ui/Dates.tsx';
import { CardOf } from '../../../ui/CardOf.tsx';
import { ListView } from '../../../ui/ListView.tsx';
import { Message } from '../../../ui/Message.tsx';
import { StatusBadge, type Tone } from '../../../ui/StatusBadge.tsx';

export type TabProps = { id: number; page: number; onPage: (page: number) => void };

const tones: Record<JobHistoryRow['status'], Tone> = {
  scheduled: 'info',
  current: 'good',
  past: 'quiet',
  cancelled: 'quiet',
  failed: 'danger',
};

/** The job on any day: one row from each day on which something about it changed. */
export function JobTab({ id, page, onPage }: TabProps) {
  const t = useTranslations('profile');
  const columns = useColumns();
  const query = useQuery({
    ...load(jobHistory.list, { params: { id }, query: { page } }),
    placeholderData: keepPreviousData,
  });
  return (
    <ListView
      query={query}
      label={t('tabs.job')}
      columns={columns}
      card={(row) => <CardOf columns={columns} row={row} />}
      rowKey={(row) => row.id}
      onPage={onPage}
      empty={<Message title={t('job.none')} />}
    />
  );
}

function useColumns(): Column<JobHistoryRow>[] {
  const t = useTranslations('profile.job');
  const field = useTranslations('profile.field');
  const kinds = useTranslations('employmentType');
  const lifecycle = useTranslations('lifecycle');
  return [
    { id: 'from', header: t('from'), cell: (row) => <Day value={row.effective_from} /> },
    { id: 'to', header: t('to'), cell: (row) => (row.effective_to ? <Day value={row.effective_to} /> : '–') },
    {
      id: 'status',
      header: t('state'),
      cell: (row) => <StatusBadge tone={tones[row.status]} label={t(`status.${row.status}`)} />,
    },
    { id: 'job_title', header: field('job_title'), cell: (row) => row.job_title ?? '–' },
    { id: 'department', header: field('department'), cell: (row) => row.department.name },
    { id: 'entity', header: field('entity'), cell: (row) => row.entity.name },
    { id: 'manager', header: field('reporting_manager'), cell: (row) => row.reporting_manager?.name ?? '–' },
    { id: 'grade', header: field('grade'), cell: (row) => row.grade ?? '–' },
    { id: 'kind', header: field('employment_type'), cell: (row) => kinds(row.employment_type) },
    { id: 'lifecycle', header: field('employment_lifecycle'), cell: (row) => lifecycle(row.employment_lifecycle) },
    { id: 'reason', header: t('reason'), cell: (row) => row.failure ?? row.reason ?? '–' },
    { id: 'by', header: t('by'), cell: (row) => row.created_by.name },
  ];
}
