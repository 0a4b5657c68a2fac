import { Button, NativeSelect } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { roles, roleScopes, type RoleRow } from '@tenure/contract';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { Suspense, useState } from 'react';
import { useTranslations } from 'use-intl';
import { load } from '../../api/query.ts';
import { useSession } from '../../api/session.tsx';
import { ErrorState } from '../../ui/ErrorState.tsx';
import { Filters } from '../../ui/Filters.tsx';
import { ListView } from '../../ui/ListView.tsx';
import { Message } from '../../ui/Message.tsx';
import { PageHeader } from '../../ui/PageHeader.tsx';
import { SearchField } from '../../ui/SearchField.tsx';
import { RoleCard, useRoleColumns } from './columns.tsx';
import { RoleDialogs } from './dialogs.ts';
import { roleFilters, type RoleDialog, type RolesSearch } from './search.ts';

const route = getRouteApi('/shell/roles');

type Change = { [K in keyof RolesSearch]?: RolesSearch[K] | undefined };
type DialogRequest = { dialog: RoleDialog; role?: RoleRow };

/** All roles with their scope and number of holders. */
export function RolesPage() {
  const t = useTranslations('roles');
  const { can } = useSession();
  const search = route.useSearch();
  const change = useFilterChange();
  const query = useQuery({ ...load(roles.list, { query: search }), placeholderData: keepPreviousData });
  const [asked, setAsked] = useState<DialogRequest>();
  const ask = (dialog: RoleDialog, role: RoleRow) => setAsked({ dialog, role });
  const columns = useRoleColumns(ask);
  if (query.error?.status === 403) return <ErrorState page error={query.error} onRetry={() => void query.refetch()} />;
  const total = query.data?.meta.total;
  return (
    <>
      <PageHeader title={t('title')} lead={total === undefined ? '' : t('count', { count: total })}>
        {can('rbac.manage') && (
          <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setAsked({ dialog: 'new' })}>
            {t('add')}
          </Button>
        )}
      </PageHeader>
      <RoleFilters search={search} onChange={change} />
      <ListView
        query={query}
        label={t('title')}
        columns={columns}
        rowKey={(row) => row.id}
        card={(row) => <RoleCard row={row} onDialog={ask} />}
        sort={{ by: search.sort_by ?? 'name', direction: search.sort_direction ?? 'asc' }}
        onSort={({ by, direction }) => change({ sort_by: by as RolesSearch['sort_by'], sort_direction: direction })}
        onPage={(page) => change({ page })}
        onSize={(size) => change({ per_page: size })}
        empty={<EmptyState onClear={() => change(noFilters)} />}
      />
      <Suspense>
        <RoleDialogs dialog={asked?.dialog} role={asked?.role} onClose={() => setAsked(undefined)} />
      </Suspense>
    </>
  );
}

function useFilterChange() {
  const navigate = route.useNavigate();
  return (patch: Change) =>
    void navigate({
      search: (old) => ({ ...old, page: undefined, ...patch }) as RolesSearch,
      replace: 'search' in patch,
    });
}

const noFilters: Change = Object.fromEntries(roleFilters.map((name) => [name, undefined]));

function RoleFilters({ search, onChange }: { search: RolesSearch; onChange: (patch: Change) => void }) {
  const t = useTranslations('roles');
  return (
    <Filters>
      <SearchField label={t('search')} value={search.search} onChange={(text) => onChange({ search: text })} />
      <NativeSelect
        aria-label={t('scopeLabel')}
        data={[
          { value: '', label: t('anyScope') },
          ...roleScopes.map((value) => ({ value, label: t(`scope.${value}`) })),
        ]}
        value={search.scope ?? ''}
        onChange={(event) => onChange({ scope: roleScopes.find((one) => one === event.currentTarget.value) })}
      />
    </Filters>
  );
}

/** Tenure has five built-in roles, so only a filter leaves the list empty. */
function EmptyState({ onClear }: { onClear: () => void }) {
  const t = useTranslations('roles');
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
