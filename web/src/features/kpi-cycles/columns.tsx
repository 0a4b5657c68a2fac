import { Stack, Text } from '@mantine/core';
import type { KpiCycle } from '@tenure/contract';
import { Link } from '@tanstack/react-router';
import { useTranslations } from 'use-intl';
import { paths } from '../../paths.ts';
import type { Column } from '../../ui/DataTable.tsx';
import { CycleProgress, CycleStatus, Days } from './CycleProgress.tsx';

/** The columns of the cycle list. */
export function useCycleColumns(): Column<KpiCycle>[] {
  const t = useTranslations('kpiCycles');
  return [
    { id: 'name', header: t('field.name'), sortBy: 'name', cell: (row) => <Name row={row} /> },
    { id: 'status', header: t('state'), sortBy: 'status', cell: (row) => <CycleStatus {...row} /> },
    { id: 'progress', header: t('progress'), cell: (row) => <CycleProgress cycle={row} /> },
    {
      id: 'dates',
      header: t('period'),
      sortBy: 'start_date',
      cell: ({ start_date, end_date }) => <Days from={start_date} to={end_date} />,
    },
    {
      id: 'entity',
      header: t('field.entity_id'),
      cell: (row) => (row.entity ? <bdi>{row.entity.name}</bdi> : <span className="muted">{t('allCompanies')}</span>),
    },
    {
      id: 'owner',
      header: t('field.owner_id'),
      cell: (row) => (row.owner ? <bdi>{row.owner.name}</bdi> : <span className="muted">{t('nobody')}</span>),
    },
  ];
}

function Name({ row: { id, name, type } }: { row: KpiCycle }) {
  const t = useTranslations('kpiCycles.type');
  return (
    <Stack gap={0} miw={0} maw="24rem">
      <Link to={paths.kpiCycle} params={{ id: String(id) }} className="record-link truncate">
        <bdi>{name}</bdi>
      </Link>
      <Text span truncate className="muted" size="sm">
        {t(type)}
      </Text>
    </Stack>
  );
}
