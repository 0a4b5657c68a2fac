import { Button, Group, NativeSelect, Switch } from '@mantine/core';
import { importStatuses, type ImportRow } from '@tenure/contract';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useFormatter, useTranslations } from 'use-intl';
import { load } from '../../api/query.ts';
import { useSession } from '../../api/session.tsx';
import { CardOf } from '../../ui/CardOf.tsx';
import type { Column } from '../../ui/DataTable.tsx';
import { Moment } from '../../ui/Dates.tsx';
import { ErrorState } from '../../ui/ErrorState.tsx';
import { ListView } from '../../ui/ListView.tsx';
import { Message } from '../../ui/Message.tsx';
import { PageHeader } from '../../ui/PageHeader.tsx';
import { Pills } from '../../ui/Pills.tsx';
import { SearchField } from '../../ui/SearchField.tsx';
import { StatusBadge, type Tone } from '../../ui/StatusBadge.tsx';
import { ErrorFile } from './CheckNotices.tsx';
import { importKinds, useImportKind } from './kinds.ts';
import type { ImportsSearch } from './search.ts';
import { Filters } from '../../ui/Filters.tsx';

const tones: Record<ImportRow['status'], Tone> = {
  processing: 'info',
  needs_mapping: 'warn',
  preview: 'warn',
  completed: 'good',
  failed: 'danger',
  undone: 'quiet',
  partly_undone: 'warn',
  expired: 'quiet',
};

/** All imports with their results; an unfinished one can be continued. */
export function ImportsPage() {
  const t = useTranslations('imports');
  const { change } = useImportsSearch();
  const query = useImports();
  const columns = useColumns();
  if (query.error?.status === 403) return <ErrorState page error={query.error} onRetry={() => void query.refetch()} />;
  return (
    <>
      <PageHeader title={t('listTitle')} lead={t('listLead')}>
        <Start />
      </PageHeader>
      <ImportFilters />
      <ListView
        query={query}
        label={t('listTitle')}
        columns={columns}
        rowKey={(row) => row.id}
        card={(row) => <CardOf columns={columns} row={row} />}
        onPage={(next) => change((old) => ({ ...old, page: next }))}
        empty={<EmptyState />}
      />
    </>
  );
}

/** The page of imports in the address; refetched while one of them is running. */
function useImports() {
  const { user } = useSession();
  const { api } = useImportKind();
  const { page, search, status, mine } = useImportsSearch().asked;
  const filters = { search, status, ...(mine && { created_by: String(user?.id) }) };
  return useQuery({
    ...load(api.list, { query: { page, sort_by: 'created_at', sort_direction: 'desc', ...filters } }),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => (state.data?.data.some((row) => row.status === 'processing') ? 2_000 : false),
  });
}

function Start() {
  const { paths, type } = useImportKind();
  const own = useTranslations(`imports.${type}`);
  return (
    <Button component={Link} to={paths.new}>
      {own('start')}
    </Button>
  );
}

function EmptyState() {
  const t = useTranslations('imports');
  const { type } = useImportKind();
  const own = useTranslations(`imports.${type}`);
  const { asked, change } = useImportsSearch();
  const { search, status, mine } = asked;
  if (search === undefined && status === undefined && mine === undefined)
    return (
      <Message title={t('noImports')} actions={<Start />}>
        {own('newLead')}
      </Message>
    );
  const showAll = (
    <Button variant="default" onClick={() => change(() => ({}))}>
      {t('showAll')}
    </Button>
  );
  return <Message title={t('noMatch')} actions={showAll} />;
}

function ImportFilters() {
  const t = useTranslations('imports');
  const { asked, change } = useImportsSearch();
  const { search, status, mine } = asked;
  const go = (patch: Change) => change((old) => ({ ...old, page: undefined, ...patch }));
  return (
    <Filters>
      <SearchField label={t('searchFiles')} value={search} onChange={(text) => go({ search: text })} />
      <NativeSelect
        aria-label={t('state')}
        data={[
          { value: '', label: t('anyState') },
          ...importStatuses.map((one) => ({ value: one, label: t(`status.${one}`) })),
        ]}
        value={status ?? ''}
        onChange={({ currentTarget: { value } }) => go({ status: importStatuses.find((one) => one === value) })}
      />
      <Switch
        label={t('onlyMine')}
        checked={mine === true}
        onChange={(event) => go({ mine: event.currentTarget.checked || undefined })}
      />
      <KindPills />
    </Filters>
  );
}

/** Links between the kinds of imports that the user may start. */
function KindPills() {
  const t = useTranslations('imports');
  const kind = useImportKind();
  const { can } = useSession();
  const navigate = useNavigate();
  const offered = importKinds.filter(({ permission }) => can(permission));
  if (offered.length < 2) return null;
  return (
    <Pills
      label={t('kind')}
      options={offered.map(({ type }) => ({ value: type, label: t(`${type}.kind`) }))}
      value={kind.type}
      onChange={(type) => {
        const to = importKinds.find((one) => one.type === type)?.paths.list;
        if (to) void navigate({ to });
      }}
    />
  );
}

type Change = { [K in keyof ImportsSearch]?: ImportsSearch[K] | undefined };

/** The list's filters, for either kind of import. */
function useImportsSearch() {
  const asked: ImportsSearch = useSearch({ strict: false });
  const navigate = useNavigate();
  return {
    asked,
    change: (next: (old: ImportsSearch) => Change) =>
      void navigate({ to: '.', search: ((old: ImportsSearch) => next(old)) as never }),
  };
}

function useColumns(): Column<ImportRow>[] {
  const t = useTranslations('imports');
  const { paths } = useImportKind();
  const format = useFormatter();
  const count = (name: 'total' | 'created' | 'updated', header: string): Column<ImportRow> => ({
    id: name,
    header,
    cell: (row) => (
      <span className={`numbers ${row.counts[name] === 0 ? 'muted' : ''}`}>{format.number(row.counts[name])}</span>
    ),
  });
  return [
    {
      id: 'file',
      header: t('file'),
      cell: (row) => (
        <Link to={paths.one} params={{ id: String(row.id) }} className="record-link truncate">
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
    { id: 'by', header: t('by'), cell: (row) => <bdi>{row.created_by.name}</bdi> },
    count('total', t('rows')),
    count('created', t('done.created')),
    count('updated', t('done.updated')),
    { id: 'failed', header: t('done.failed'), cell: (row) => <Failed row={row} /> },
  ];
}

/** The number of failed rows, with their file as long as it is kept. */
function Failed({ row: { id, status, counts } }: { row: ImportRow }) {
  const format = useFormatter();
  const hasFile = counts.failed > 0 && status !== 'expired' && status !== 'undone';
  return (
    <Group gap="2px 14px" fz="sm">
      <span className={`numbers ${counts.failed === 0 ? 'muted' : ''}`}>{format.number(counts.failed)}</span>
      {hasFile && <ErrorFile id={id} />}
    </Group>
  );
}
