import { Button } from '@mantine/core';
import { useLocalStorage } from '@mantine/hooks';
import { employees } from '@tenure/contract';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useTranslations } from 'use-intl';
import { load } from '../../api/query.ts';
import { useSession } from '../../api/session.tsx';
import { ErrorState } from '../../ui/ErrorState.tsx';
import { ListView } from '../../ui/ListView.tsx';
import { Message } from '../../ui/Message.tsx';
import { PageHeader } from '../../ui/PageHeader.tsx';
import { EmployeeCard, useEmployeeColumns } from './columns.tsx';
import { DirectoryActions } from './DirectoryActions.tsx';
import { DirectoryFilters } from './DirectoryFilters.tsx';
import type { EmployeesSearch } from './search.ts';
import { defaultView, DirectoryView } from './DirectoryView.tsx';

const route = getRouteApi('/shell/employees');

/** The directory: find people, see who they are at a glance, take the list along. */
export function EmployeesPage() {
  const t = useTranslations('employees');
  const { can } = useSession();
  const search = route.useSearch();
  const change = useChange();
  const [view, setView] = useLocalStorage({
    key: 'tenure.employees',
    defaultValue: defaultView,
    getInitialValueInEffect: false,
  });
  const query = useQuery({ ...load(employees.list, { query: search }), placeholderData: keepPreviousData });
  const columns = useEmployeeColumns(view.compact);
  if (query.error?.status === 403) return <ErrorState page error={query.error} onRetry={() => void query.refetch()} />;

  const total = query.data?.meta.total;
  return (
    <>
      <PageHeader title={t('title')} lead={total === undefined ? '' : t('count', { count: total })}>
        <DirectoryView view={view} onChange={setView} columns={columns} />
        <DirectoryActions search={search} />
      </PageHeader>
      <DirectoryFilters search={search} onChange={change} />
      <ListView
        query={query}
        label={t('title')}
        columns={columns.filter(({ id }) => !view.hidden.includes(id))}
        rowKey={(row) => row.id}
        card={(row) => <EmployeeCard employee={row} />}
        compact={view.compact}
        sort={{ by: search.sort_by ?? 'last_name', direction: search.sort_direction ?? 'asc' }}
        onSort={({ by, direction }) => change({ sort_by: by as EmployeesSearch['sort_by'], sort_direction: direction })}
        onPage={(page) => change({ page })}
        onSize={(size) => change({ per_page: size })}
        empty={<Nobody search={search} onClear={() => change(noFilters)} mayImport={can('employees.import')} />}
      />
    </>
  );
}

const noFilters = {
  search: undefined,
  entity_id: undefined,
  department_id: undefined,
  activity_status: undefined,
  employment_lifecycle: undefined,
};

type Change = { [K in keyof EmployeesSearch]?: EmployeesSearch[K] | undefined };

/** Changes the address; whatever changes but the page leads to the first page. */
function useChange() {
  const navigate = route.useNavigate();
  return (patch: Change) =>
    void navigate({
      search: (old) => ({ ...old, page: undefined, ...patch }) as EmployeesSearch,
      replace: 'search' in patch,
    });
}

type NobodyProps = { search: EmployeesSearch; onClear: () => void; mayImport: boolean };

function Nobody({ search, onClear, mayImport }: NobodyProps) {
  const t = useTranslations('employees');
  const filtered = Object.keys(noFilters).some((name) => name in search);
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
