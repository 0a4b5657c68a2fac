import { Button } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { kpiCycles } from '@tenure/contract';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useTranslations } from 'use-intl';
import { load } from '../../api/query.ts';
import { useSession } from '../../api/session.tsx';
import { paths } from '../../paths.ts';
import { CardOf } from '../../ui/CardOf.tsx';
import { ErrorState } from '../../ui/ErrorState.tsx';
import { ListView } from '../../ui/ListView.tsx';
import { Message } from '../../ui/Message.tsx';
import { PageHeader } from '../../ui/PageHeader.tsx';
import { CycleFilters, type Change } from './CycleFilters.tsx';
import { useCycleColumns } from './columns.tsx';
import { publishingInterval } from './polling.ts';
import { cycleFilters, type CyclesSearch } from './search.ts';

const route = getRouteApi('/shell/kpi/cycles');

/** The cycles that the user may see, with their progress. */
export function CyclesPage() {
  const t = useTranslations('kpiCycles');
  const search = route.useSearch();
  const change = useFilterChange();
  const query = useQuery({
    ...load(kpiCycles.list, { query: search }),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => publishingInterval(state.data?.data ?? []),
  });
  const columns = useCycleColumns();
  if (query.error?.status === 403) return <ErrorState page error={query.error} onRetry={() => void query.refetch()} />;
  const total = query.data?.meta.total;
  return (
    <>
      <PageHeader title={t('title')} lead={total === undefined ? '' : t('count', { count: total })}>
        <AddButton />
      </PageHeader>
      <CycleFilters search={search} onChange={change} />
      <ListView
        query={query}
        label={t('title')}
        columns={columns}
        rowKey={(row) => row.id}
        card={(row) => <CardOf columns={columns} row={row} />}
        sort={{
          by: search.sort_by ?? 'start_date',
          direction: search.sort_direction ?? (search.sort_by ? 'asc' : 'desc'),
        }}
        onSort={({ by, direction }) => change({ sort_by: by as CyclesSearch['sort_by'], sort_direction: direction })}
        onPage={(page) => change({ page })}
        onSize={(size) => change({ per_page: size })}
        empty={<EmptyState search={search} onClear={() => change(noFilters)} />}
      />
    </>
  );
}

function useFilterChange() {
  const navigate = route.useNavigate();
  return (patch: Change) =>
    void navigate({
      search: (old) => ({ ...old, page: undefined, ...patch }) as CyclesSearch,
      replace: 'search' in patch,
    });
}

const noFilters: Change = Object.fromEntries(cycleFilters.map((name) => [name, undefined]));

/** Renders nothing for a user who may not add cycles. */
function AddButton() {
  const t = useTranslations('kpiCycles');
  const { can } = useSession();
  if (!can('kpi-cycle.create')) return null;
  return (
    <Button component={Link} to={paths.newKpiCycle} leftSection={<IconPlus size={16} aria-hidden />}>
      {t('add')}
    </Button>
  );
}

function EmptyState({ search, onClear }: { search: CyclesSearch; onClear: () => void }) {
  const t = useTranslations('kpiCycles');
  if (!cycleFilters.some((name) => name in search))
    return (
      <Message title={t('none')} actions={<AddButton />}>
        {t('noneText')}
      </Message>
    );
  const clear = (
    <Button variant="default" onClick={onClear}>
      {t('clear')}
    </Button>
  );
  return (
    <Message title={t('noResult')} actions={clear}>
      {t('noResultText')}
    </Message>
  );
}
