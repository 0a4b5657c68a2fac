import { scimConnections, type ScimConnection } from '@tenure/contract';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useTranslations } from 'use-intl';
import { load } from '../../api/query.ts';
import { useSession } from '../../api/session.tsx';
import { Filters } from '../../ui/Filters.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { SearchField } from '../../ui/SearchField.tsx';
import { WaitingTable } from './WaitingTable.tsx';

const route = getRouteApi('/shell/settings/provisioning');

/** Users of a connection for whom no account was found. */
export function Waiting({ connection }: { connection: ScimConnection }) {
  const t = useTranslations('provisioningWaiting');
  const { page = 1, search } = route.useSearch();
  const navigate = route.useNavigate();
  const { id, name, is_enabled, is_dry_run } = connection;
  const { can } = useSession();
  const isInEffect = is_enabled && !is_dry_run;
  const actions = isInEffect ? ['link', ...(can('employees.create') ? ['create'] : []), 'dismiss'] : ['dismiss'];
  const query = useQuery({
    ...load(scimConnections.waiting, { params: { id }, query: { page, per_page: 25, search } }),
    placeholderData: keepPreviousData,
    select: (reply) => ({
      ...reply,
      data: reply.data.map((row) => ({
        ...row,
        connection: { id, name },
        allowed_actions: actions,
      })),
    }),
  });
  return (
    <>
      <Filters belowTabs>
        <SearchField
          label={t('search')}
          value={search}
          onChange={(text) =>
            void navigate({
              search: { connection: String(id), part: 'waiting', ...(text && { search: text }) },
              replace: true,
            })
          }
        />
      </Filters>
      {!isInEffect && (
        <div style={{ padding: '0 var(--gutter) 12px', maxWidth: '48rem' }}>
          <Notice>{t('notInEffect', { name })}</Notice>
        </div>
      )}
      <WaitingTable
        query={query}
        isSearched={search !== undefined}
        onPage={(next) => void navigate({ search: (old) => ({ ...old, page: next }) })}
      />
    </>
  );
}
