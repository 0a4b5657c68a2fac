import { sealedSecrets, type SealedSecrets } from '@tenure/contract';
import { useQuery } from '@tanstack/react-query';
import { useFormatter, useTranslations } from 'use-intl';
import { failedWithoutData, load } from '../../api/query.ts';
import { CardOf } from '../../ui/CardOf.tsx';
import { DataTable, type Column } from '../../ui/DataTable.tsx';
import { ErrorState } from '../../ui/ErrorState.tsx';
import { LoadingLines } from '../../ui/LoadingLines.tsx';
import { PageHeader } from '../../ui/PageHeader.tsx';
import { StatusBadge } from '../../ui/StatusBadge.tsx';

type Row = SealedSecrets['data'][number];

const tones = { current: 'good', previous: 'quiet', unknown: 'danger' } as const;

/** How many secrets in the database each application key seals, which shows whether an earlier key can be removed. */
export function SealingKeysPage() {
  const t = useTranslations('sealingKeys');
  const query = useQuery(load(sealedSecrets.list, {}));
  const columns = useColumns();
  if (query.isPending) return <LoadingLines lines={3} />;
  if (failedWithoutData(query)) return <ErrorState page error={query.error} onRetry={() => void query.refetch()} />;
  const { data: rows } = query.data;
  return (
    <>
      <PageHeader title={t('title')} lead={t('lead')} />
      <DataTable
        label={t('title')}
        columns={columns}
        rows={rows}
        rowKey={({ key }) => key}
        card={(row) => <CardOf columns={columns} row={row} />}
      />
    </>
  );
}

function useColumns(): Column<Row>[] {
  const t = useTranslations('sealingKeys');
  const format = useFormatter();
  return [
    { id: 'key', header: t('key'), cell: ({ key }) => <code>{key}</code> },
    {
      id: 'state',
      header: t('state'),
      cell: ({ state }) => <StatusBadge tone={tones[state]} label={t(`states.${state}`)} />,
    },
    { id: 'count', header: t('count'), cell: ({ count }) => format.number(count) },
    {
      id: 'next',
      header: t('next'),
      cell: ({ state, count }) => t(`then.${state === 'previous' && count === 0 ? 'over' : state}`),
    },
  ];
}
