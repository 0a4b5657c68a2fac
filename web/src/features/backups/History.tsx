import { Button, NativeSelect } from '@mantine/core';
import { backupResults, backupRunKinds, backups, type BackupRun } from '@tenure/contract';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useTranslations } from 'use-intl';
import { load } from '../../api/query.ts';
import { CardOf } from '../../ui/CardOf.tsx';
import type { Column } from '../../ui/DataTable.tsx';
import { Moment } from '../../ui/Dates.tsx';
import { FileSize } from '../../ui/FileSize.tsx';
import { Filters } from '../../ui/Filters.tsx';
import { ListView } from '../../ui/ListView.tsx';
import { Message } from '../../ui/Message.tsx';
import { SectionTitle } from '../../ui/SectionTitle.tsx';
import { StatusBadge } from '../../ui/StatusBadge.tsx';
import type { BackupsSearch } from './search.ts';

const route = getRouteApi('/shell/settings/backups');

type Change = { [K in keyof BackupsSearch]?: BackupsSearch[K] | undefined };

/** Past runs and attempts, the latest first. */
export function History() {
  const t = useTranslations('backups');
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const change = (patch: Change) =>
    void navigate({ search: (old) => ({ ...old, page: undefined, ...patch }) as BackupsSearch });
  const list = useQuery({
    ...load(backups.runs, { query: { ...search, per_page: 25 } }),
    placeholderData: keepPreviousData,
  });
  const columns = useColumns();
  return (
    <section>
      <SectionTitle px="gutter" mb={8}>
        {t('history')}
      </SectionTitle>
      <HistoryFilters search={search} onChange={change} />
      <ListView<BackupRun>
        query={list}
        label={t('history')}
        columns={columns}
        rowKey={({ id }) => id}
        card={(row) => <CardOf columns={columns} row={row} />}
        onPage={(page) => change({ page })}
        empty={<Empty search={search} onClear={() => change({ kind: undefined, status: undefined })} />}
      />
    </section>
  );
}

function HistoryFilters({ search, onChange }: { search: BackupsSearch; onChange: (change: Change) => void }) {
  const t = useTranslations('backups');
  return (
    <Filters>
      <NativeSelect
        aria-label={t('what')}
        value={search.kind ?? ''}
        data={[
          { value: '', label: t('anyKind') },
          ...backupRunKinds.map((value) => ({ value, label: t(`kind.${value}`) })),
        ]}
        onChange={({ currentTarget: { value } }) => onChange({ kind: backupRunKinds.find((kind) => kind === value) })}
      />
      <NativeSelect
        aria-label={t('result')}
        value={search.status ?? ''}
        data={[
          { value: '', label: t('anyResult') },
          ...backupResults.map((value) => ({ value, label: t(`results.${value}`) })),
        ]}
        onChange={({ currentTarget: { value } }) => onChange({ status: backupResults.find((one) => one === value) })}
      />
    </Filters>
  );
}

function Empty({ search, onClear }: { search: BackupsSearch; onClear: () => void }) {
  const t = useTranslations('backups');
  if (search.kind === undefined && search.status === undefined)
    return <Message title={t('noRuns')}>{t('noRunsText')}</Message>;
  const clear = (
    <Button variant="default" onClick={onClear}>
      {t('clear')}
    </Button>
  );
  return <Message title={t('noResult')} actions={clear} />;
}

/** The reason of a failure in full, or the name of the backup. */
const Details = ({ row: { error, backup } }: { row: BackupRun }) => (
  <span style={{ whiteSpace: 'normal', overflowWrap: 'anywhere' }}>{error ?? backup}</span>
);

function useColumns(): Column<BackupRun>[] {
  const t = useTranslations('backups');
  return [
    { id: 'kind', header: t('what'), cell: ({ kind, is_restore }) => t(`kind.${is_restore ? 'restore' : kind}`) },
    { id: 'started_at', header: t('started_at'), cell: ({ started_at }) => <Moment value={started_at} /> },
    {
      id: 'status',
      header: t('result'),
      cell: ({ status }) => <StatusBadge tone={status === 'done' ? 'good' : 'danger'} label={t(`results.${status}`)} />,
    },
    { id: 'bytes', header: t('size'), cell: ({ bytes }) => bytes !== null && <FileSize bytes={bytes} /> },
    { id: 'details', header: t('details'), cell: (row) => <Details row={row} /> },
  ];
}
