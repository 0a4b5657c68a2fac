import { Button } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { serviceAccounts, type ServiceAccount } from '@tenure/contract';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { load } from '../../api/query.ts';
import { paths } from '../../paths.ts';
import { CardOf } from '../../ui/CardOf.tsx';
import type { Column } from '../../ui/DataTable.tsx';
import { Moment } from '../../ui/Dates.tsx';
import { ListView } from '../../ui/ListView.tsx';
import { Message } from '../../ui/Message.tsx';
import { StatusBadge } from '../../ui/StatusBadge.tsx';
import { AccountDialog } from './AccountDialog.tsx';
import { Part } from './Part.tsx';

const route = getRouteApi('/shell/settings/access-tokens');

/** A page of the service accounts. */
export const useServiceAccounts = (page: number, enabled = true) =>
  useQuery({
    ...load(serviceAccounts.list, { query: { page, per_page: 25 } }),
    placeholderData: keepPreviousData,
    enabled,
  });

/** All service accounts. */
export function ServiceAccounts() {
  const t = useTranslations('accessTokens');
  const navigate = route.useNavigate();
  const [page, setPage] = useState(1);
  const [isAdding, setIsAdding] = useState(false);
  const query = useServiceAccounts(page);
  const columns = useColumns();
  const add = (
    <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setIsAdding(true)}>
      {t('addAccount')}
    </Button>
  );
  const empty = (
    <Message title={t('noAccounts')} actions={add}>
      {t('noAccountsText')}
    </Message>
  );
  return (
    <Part title={t('accounts')} lead={t('accountsLead')} actions={query.data && query.data.meta.total > 0 && add}>
      <ListView<ServiceAccount>
        query={query}
        label={t('accounts')}
        columns={columns}
        rowKey={({ id }) => id}
        card={(row) => <CardOf columns={columns} row={row} />}
        onPage={setPage}
        pagesLabel={t('accountPages')}
        empty={empty}
      />
      <AccountDialog
        opened={isAdding}
        onClose={() => setIsAdding(false)}
        onSaved={({ id }) => void navigate({ search: { account: String(id) } })}
      />
    </Part>
  );
}

function useColumns(): Column<ServiceAccount>[] {
  const t = useTranslations('accessTokens');
  return [
    {
      id: 'name',
      header: t('name'),
      cell: ({ id, name }) => (
        <Link to={paths.accessTokens} search={{ account: String(id) }}>
          <bdi>{name}</bdi>
        </Link>
      ),
    },
    {
      id: 'state',
      header: t('state'),
      cell: ({ is_enabled: isOn }) => <StatusBadge tone={isOn ? 'good' : 'quiet'} label={t(isOn ? 'on' : 'off')} />,
    },
    { id: 'owners', header: t('owners'), cell: ({ owners }) => <bdi>{owners.map(({ name }) => name).join(', ')}</bdi> },
    { id: 'tokens', header: t('activeTokens'), cell: ({ active_tokens }) => active_tokens },
    {
      id: 'used',
      header: t('used'),
      cell: ({ last_used_at: last }) => (last === null ? t('never') : <Moment value={last} />),
    },
  ];
}
