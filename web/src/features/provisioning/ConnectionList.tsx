import { Button } from '@mantine/core';
import { IconPlus, IconUsersGroup } from '@tabler/icons-react';
import { scimConnections, type ScimConnection } from '@tenure/contract';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useTranslations } from 'use-intl';
import { load } from '../../api/query.ts';
import { paths } from '../../paths.ts';
import { CardOf } from '../../ui/CardOf.tsx';
import type { Column } from '../../ui/DataTable.tsx';
import { Moment } from '../../ui/Dates.tsx';
import { ListView } from '../../ui/ListView.tsx';
import { Message } from '../../ui/Message.tsx';
import { PageHeader } from '../../ui/PageHeader.tsx';
import { guides } from './parts.ts';
import { State, TokenEnd } from './State.tsx';

const route = getRouteApi('/shell/settings/provisioning');

/** All connections with their state. */
export function ConnectionList() {
  const t = useTranslations('provisioning');
  const { page = 1 } = route.useSearch();
  const navigate = route.useNavigate();
  const query = useQuery({
    ...load(scimConnections.list, { query: { page, per_page: 25, sort_by: 'name' } }),
    placeholderData: keepPreviousData,
  });
  const columns = useColumns();
  const add = (
    <Button
      renderRoot={(props) => <Link {...props} to={paths.provisioning} search={{ connection: 'new' }} />}
      leftSection={<IconPlus size={16} aria-hidden />}
    >
      {t('add')}
    </Button>
  );
  return (
    <>
      <PageHeader title={t('title')} lead={t('lead')}>
        {query.data && query.data.meta.total > 0 && add}
      </PageHeader>
      <ListView<ScimConnection>
        query={query}
        label={t('connections')}
        columns={columns}
        rowKey={({ id }) => id}
        card={(row) => <CardOf columns={columns} row={row} />}
        onPage={(next) => void navigate({ search: { page: next } })}
        empty={
          <Message
            icon={IconUsersGroup}
            title={t('none')}
            actions={
              <>
                {add}
                <Guides />
              </>
            }
          >
            {t('noneText')}
          </Message>
        }
      />
    </>
  );
}

function Guides() {
  const t = useTranslations('provisioning');
  return guides.map((guide) => (
    <Button
      key={guide}
      variant="default"
      renderRoot={(props) => <Link {...props} to={paths.provisioning} search={{ guide }} />}
    >
      {t(`guideFor.${guide}`)}
    </Button>
  ));
}

function useColumns(): Column<ScimConnection>[] {
  const t = useTranslations('provisioning');
  return [
    {
      id: 'name',
      header: t('name'),
      cell: ({ id, name }) => (
        <Link to={paths.provisioning} search={{ connection: String(id) }}>
          <bdi>{name}</bdi>
        </Link>
      ),
    },
    { id: 'state', header: t('state'), cell: (row) => <State connection={row} /> },
    { id: 'users', header: t('users'), cell: ({ users_count }) => users_count },
    { id: 'waiting', header: t('waitingCount'), cell: ({ waiting_count }) => waiting_count },
    {
      id: 'last',
      header: t('lastRequest'),
      cell: ({ last_request_at: last }) => (last === null ? t('never') : <Moment value={last} />),
    },
    { id: 'token', header: t('tokenEnds'), cell: ({ token }) => <TokenEnd token={token} /> },
  ];
}
