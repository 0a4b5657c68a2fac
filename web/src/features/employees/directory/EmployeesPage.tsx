import { Button } from '@mantine/core';
import { employees, type EmployeeRow } from '@tenure/contract';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { Suspense, useEffect, useEffectEvent, useState } from 'react';
import { useTranslations } from 'use-intl';
import { load } from '../../../api/query.ts';
import { useSession } from '../../../api/session.tsx';
import type { RowChoice } from '../../../ui/DataTable.tsx';
import { ErrorState } from '../../../ui/ErrorState.tsx';
import { lazyPart } from '../../../ui/lazy-part.ts';
import { ListView } from '../../../ui/ListView.tsx';
import { Message } from '../../../ui/Message.tsx';
import { Notice } from '../../../ui/Notice.tsx';
import { PageHeader } from '../../../ui/PageHeader.tsx';
import { usePhone } from '../../../ui/use-phone.ts';
import { useListLayout, type ListLayout } from '../../../ui/use-list-layout.ts';
import { RowBox } from '../../../ui/RowBox.tsx';
import {
  EmployeeCard,
  useEmployeeColumns,
  useMenuColumn,
  usualColumns,
  visibleColumns,
  type DirectoryColumn,
} from './columns.tsx';
import { BulkBar } from '../bulk/BulkBar.tsx';
import { DirectoryActions } from './DirectoryActions.tsx';
import { DirectoryFilters } from './DirectoryFilters.tsx';
import { ImportedOnly } from './ImportedOnly.tsx';
import { DirectoryView } from './DirectoryView.tsx';
import { useSelection } from '../bulk/use-selection.ts';
import { usePlannedDays } from '../planned/use-planned-days.ts';
import { searchOf, useViews } from './use-views.ts';
import { ViewsMenu } from './ViewsMenu.tsx';
import { listQueryOf, type Change, type EmployeesSearch } from '../search.ts';
import { allFilters } from './filter-names.ts';

const PeopleAsOf = lazyPart(() => import('./PeopleAsOf.tsx'), 'PeopleAsOf', 'as-of');
const PasswordsDialog = lazyPart(() => import('../passwords/PasswordsDialog.tsx'), 'PasswordsDialog', 'passwords');

const route = getRouteApi('/shell/employees');
/** The permissions for actions on selected people. */
const presetChanges = [
  'employees.update',
  'employees.deactivate',
  'employees.reset_password',
  'employees.export',
] as const;
const usual: ListLayout = { columns: usualColumns, density: 'comfortable' };

/** The directory: search, filters, saved views, export and bulk changes. */
export function EmployeesPage() {
  const t = useTranslations('employees');
  const search = route.useSearch();
  const { change, open } = useChange();
  const views = useViews(search);
  useFirstView(search, views, open);
  const [own, setLook] = useListLayout('employees', usual);
  const layout = layoutFor(own, views.current);
  const query = useDirectory(search);
  const { page: _page, per_page: _size, sort_by: _by, sort_direction: _direction, ...filters } = listQueryOf(search);
  const chosen = useSelection(filters);
  const [invited, setInvited] = useState<EmployeeRow>();
  const { can } = useSession();
  const ids = (query.data?.data ?? []).map(({ id }) => id);
  const shown = {
    compact: layout.density === 'compact',
    directory: search,
    planned: usePlannedDays(ids, can('employees.update') && search.as_of === undefined),
  };
  const columns = visibleColumns(useEmployeeColumns(shown), query.data?.data ?? []);
  if (query.error?.status === 403) return <ErrorState page error={query.error} onRetry={() => void query.refetch()} />;

  const total = query.data?.meta.total;
  return (
    <>
      <Header {...{ search, views, layout, columns, total }} onLayout={setLook} onChange={change} onOpen={open} />
      {search.as_of && (
        <Suspense fallback={null}>
          <PeopleAsOf day={search.as_of} onChange={change} />
        </Suspense>
      )}
      <DirectoryFilters search={search} onChange={change} />
      <ImportedOnly search={search} onChange={change} />
      {(views.current?.left_out.length ?? 0) > 0 && <Notice>{t('views.leftOut')}</Notice>}
      {!search.as_of && <BulkBar chosen={chosen} total={total ?? 0} onAll={() => chosen.all(total ?? 0)} />}
      <People {...{ query, search, columns, layout, chosen }} onChange={change} onInvite={setInvited} />
      {invited && (
        <Suspense fallback={null}>
          <PasswordsDialog
            purpose="invitation"
            name={String(invited.id)}
            load={() => Promise.resolve([invited.id])}
            onClose={() => setInvited(undefined)}
          />
        </Suspense>
      )}
    </>
  );
}

type HeaderProps = {
  search: EmployeesSearch;
  views: ReturnType<typeof useViews>;
  layout: ListLayout;
  columns: readonly DirectoryColumn[];
  total: number | undefined;
  onLayout: (layout: Partial<ListLayout>) => void;
  onChange: (patch: Change) => void;
  onOpen: (search: EmployeesSearch) => void;
};

/** The number of people, the view options and the actions of the list. */
function Header({ search, views, layout, columns, total, onLayout, onChange, onOpen }: HeaderProps) {
  const t = useTranslations('employees');
  const phone = usePhone();
  const menu = <ViewsMenu search={search} views={views} layout={layout} onOpen={onOpen} />;
  const { sort_by: by = 'last_name', group } = search;
  const lead = total !== undefined && (
    <>
      <span>{t('count', { count: total })}</span>
      {by === 'last_name' && group === undefined && search.search === undefined && total > 1 && !phone && (
        <span> · {t('order')}</span>
      )}
    </>
  );
  return (
    <PageHeader title={t('title')} lead={lead}>
      {!phone && menu}
      <DirectoryView
        layout={layout}
        onLayout={onLayout}
        columns={columns}
        group={search.group}
        onGroup={(group) => onChange({ group })}
      />
      <DirectoryActions search={search} />
      {phone && menu}
    </PageHeader>
  );
}

type PeopleProps = Pick<HeaderProps, 'search' | 'columns' | 'layout' | 'onChange'> & {
  query: ReturnType<typeof useDirectory>;
  chosen: ReturnType<typeof useSelection>;
  onInvite: (employee: EmployeeRow) => void;
};

/** The found people in the chosen columns. */
function People({ query, search, columns, layout, chosen, onChange, onInvite }: PeopleProps) {
  const menu = useMenuColumn({ directory: search, onInvite });
  const t = useTranslations('employees');
  const { can } = useSession();
  // people as of a day have no actions
  const choice = useRowChoice(chosen, search.as_of === undefined);
  const shown = columns.filter(({ id }) => id === 'name' || layout.columns.includes(id));
  return (
    <ListView
      query={query}
      label={t('title')}
      columns={search.as_of ? shown : [...shown, menu]}
      rowKey={(row) => row.id}
      card={(row) => <EmployeeCard employee={row} directory={search} onInvite={onInvite} />}
      compact={layout.density === 'compact'}
      {...(choice && { choice })}
      groupOf={search.group && grouping[search.group]}
      sort={{ by: listQueryOf(search).sort_by ?? 'last_name', direction: search.sort_direction ?? 'asc' }}
      onSort={({ by, direction }) =>
        onChange({ sort_by: by as EmployeesSearch['sort_by'], sort_direction: direction, group: undefined })
      }
      onPage={(page) => onChange({ page })}
      onSize={(size) => onChange({ per_page: size })}
      empty={<EmptyState search={search} onClear={() => onChange(noFilters)} mayImport={can('employees.import')} />}
    />
  );
}

const useDirectory = (search: EmployeesSearch) =>
  useQuery({ ...load(employees.list, { query: listQueryOf(search) }), placeholderData: keepPreviousData });

/** Rows are selectable if the user may take a bulk action. */
function useRowChoice(chosen: ReturnType<typeof useSelection>, isToday: boolean): RowChoice<EmployeeRow> | undefined {
  const t = useTranslations('employees');
  const { can } = useSession();
  if (!isToday || !presetChanges.some(can)) return undefined;
  return {
    Box: RowBox,
    label: (row) => t('choose', { name: row.display_name }),
    isOn: chosen.includes,
    onToggle: chosen.toggle,
  };
}

const grouping = {
  department: (row: EmployeeRow) => `${row.department.name} · ${row.entity.name}`,
  entity: (row: EmployeeRow) => row.entity.name,
  title: (row: EmployeeRow) => row.job_title ?? '–',
} as const;

/** A saved view with columns or density overrides the user's own choice. */
const layoutFor = (
  own: ListLayout,
  view: { columns: string[] | null; density: ListLayout['density'] | null } | undefined,
) => ({
  columns: view?.columns ?? own.columns,
  density: view?.density ?? own.density,
});

/** Applies the user's default view when the directory is opened without filters. */
function useFirstView(
  search: EmployeesSearch,
  views: ReturnType<typeof useViews>,
  open: (to: EmployeesSearch) => void,
) {
  const openFirst = useEffectEvent(() => {
    if (views.first && Object.keys(search).length === 0) open(searchOf(views.first));
  });
  useEffect(() => {
    if (views.isKnown) openFirst();
  }, [views.isKnown]);
}

const noFilters: Change = Object.fromEntries(allFilters.map((name) => [name, undefined]));

/** Changes the address; any change except of the page returns to the first page. */
function useChange() {
  const navigate = route.useNavigate();
  return {
    change: (patch: Change) =>
      void navigate({
        search: (old) => ({ ...old, page: undefined, ...patch }) as EmployeesSearch,
        replace: 'search' in patch,
      }),
    open: (search: EmployeesSearch) => void navigate({ search }),
  };
}

type EmptyStateProps = { search: EmployeesSearch; onClear: () => void; mayImport: boolean };

function EmptyState({ search, onClear, mayImport }: EmptyStateProps) {
  const t = useTranslations('employees');
  const filtered = allFilters.some((name) => name in search);
  if (!filtered && search.as_of !== undefined) return <Message title={t('noneAsOf')}>{t('noneAsOfText')}</Message>;
  if (!filtered) return <Message title={t('none')}>{mayImport ? t('noneText') : undefined}</Message>;
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
