import { Button } from '@mantine/core';
import { departments, entities, maxCancelled, plannedChanges, type PlannedChange } from '@tenure/contract';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { load } from '../../../api/query.ts';
import { useSession } from '../../../api/session.tsx';
import { paths } from '../../../paths.ts';
import { CardOf } from '../../../ui/CardOf.tsx';
import { DayFilter } from '../../../ui/DayFilter.tsx';
import { ErrorState } from '../../../ui/ErrorState.tsx';
import { Filters } from '../../../ui/Filters.tsx';
import { FootBar } from '../../../ui/FootBar.tsx';
import { ListView } from '../../../ui/ListView.tsx';
import { Message } from '../../../ui/Message.tsx';
import { PageHeader } from '../../../ui/PageHeader.tsx';
import { RecordSelect } from '../../../ui/RecordSelect.tsx';
import { SearchField } from '../../../ui/SearchField.tsx';
import { RowBox } from '../../../ui/RowBox.tsx';
import { plannedFilters, type PlannedSearch } from '../search.ts';
import { CancelDialog } from './CancelDialog.tsx';
import { usePlannedColumns } from './columns.tsx';

const route = getRouteApi('/shell/job-changes');

type Change = { [K in keyof PlannedSearch]?: PlannedSearch[K] | undefined };
type FilterProps = { search: PlannedSearch; onChange: (change: Change) => void };

/** All planned job changes that the user sees, to cancel several of them together. */
export function PlannedChangesPage() {
  const t = useTranslations('plannedChanges');
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const { can } = useSession();
  const onChange = (change: Change) =>
    void navigate({
      search: (old) => ({ ...old, page: undefined, ...change }) as PlannedSearch,
      replace: 'search' in change,
    });
  const query = useQuery({ ...load(plannedChanges.list, { query: search }), placeholderData: keepPreviousData });
  const { chosen, choice, clear } = useChoice();
  const [isCancelling, setCancelling] = useState(false);
  const columns = usePlannedColumns();
  if (query.error?.status === 403) return <ErrorState page error={query.error} onRetry={() => void query.refetch()} />;
  const total = query.data?.meta.total;
  return (
    <>
      <PageHeader title={t('title')} lead={total === undefined ? '' : t('count', { count: total })}>
        <Button component={Link} to={paths.employees} variant="default">
          {t('directory')}
        </Button>
      </PageHeader>
      <PlannedFilters search={search} onChange={onChange} />
      <ListView
        query={query}
        label={t('title')}
        columns={columns}
        rowKey={({ id }) => id}
        card={(row) => <CardOf columns={columns} row={row} />}
        sort={{ by: search.sort_by ?? 'effective_from', direction: search.sort_direction ?? 'asc' }}
        onSort={({ by, direction }) => onChange({ sort_by: by as PlannedSearch['sort_by'], sort_direction: direction })}
        onPage={(page) => onChange({ page })}
        onSize={(per_page) => onChange({ per_page })}
        {...(can('employees.update') && {
          choice: { ...choice, label: (row: PlannedChange) => t('select', { name: row.employee.name }) },
        })}
        empty={<Empty search={search} onClear={() => onChange(noFilters)} />}
      />
      {chosen.length > 0 && (
        <FootBar
          label={t('selected', { count: chosen.length })}
          actions={
            <>
              <Button variant="default" onClick={clear}>
                {t('clearSelection')}
              </Button>
              <Button color="red.9" onClick={() => setCancelling(true)}>
                {t('cancel', { count: chosen.length })}
              </Button>
            </>
          }
        />
      )}
      {isCancelling && <CancelDialog changes={chosen} onClose={() => setCancelling(false)} onDone={clear} />}
    </>
  );
}

function useChoice() {
  const [chosen, setChosen] = useState<ReadonlyMap<number, PlannedChange>>(new Map());
  const onToggle = (rows: readonly PlannedChange[], on: boolean) =>
    setChosen((old) => {
      const next = new Map(old);
      for (const row of rows) {
        if (!on) next.delete(row.id);
        else if (row.allowed_actions.includes('delete') && next.size < maxCancelled) next.set(row.id, row);
      }
      return next;
    });
  return {
    chosen: [...chosen.values()],
    choice: {
      Box: RowBox,
      isOn: ({ id }: PlannedChange) => chosen.has(id),
      isChoosable: ({ allowed_actions }: PlannedChange) => allowed_actions.includes('delete'),
      onToggle,
    },
    clear: () => setChosen(new Map()),
  };
}

function PlannedFilters({ search, onChange }: FilterProps) {
  const t = useTranslations('plannedChanges');
  const { can } = useSession();
  const { entity_id } = search;
  return (
    <Filters>
      <SearchField label={t('search')} value={search.search} onChange={(text) => onChange({ search: text })} />
      {can('entities.view') && (
        <RecordSelect
          label={t('company')}
          list={entities.list}
          one={entities.get}
          value={entity_id}
          onChange={(id) => onChange({ entity_id: id, department_id: undefined })}
        />
      )}
      {can('departments.view') && (
        <RecordSelect
          label={t('department')}
          list={departments.list}
          one={departments.get}
          query={entity_id === undefined ? {} : { entity_id }}
          value={search.department_id}
          onChange={(id) => onChange({ department_id: id })}
        />
      )}
      <DayFilter label={t('from')} value={search.from} onChange={(from) => onChange({ from })} />
      <DayFilter label={t('to')} value={search.to} onChange={(to) => onChange({ to })} />
    </Filters>
  );
}

const noFilters: Change = Object.fromEntries(plannedFilters.map((name) => [name, undefined]));

function Empty({ search, onClear }: { search: PlannedSearch; onClear: () => void }) {
  const t = useTranslations('plannedChanges');
  if (!plannedFilters.some((name) => name in search)) return <Message title={t('none')}>{t('noneText')}</Message>;
  const clear = (
    <Button variant="default" onClick={onClear}>
      {t('clear')}
    </Button>
  );
  return <Message title={t('noMatch')} actions={clear} />;
}
