import { Button } from '@mantine/core';
import { IconKey, IconPlus } from '@tabler/icons-react';
import { identityProviders, type IdentityProvider } from '@tenure/contract';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { load } from '../../api/query.ts';
import { paths } from '../../paths.ts';
import { CardOf } from '../../ui/CardOf.tsx';
import type { Column } from '../../ui/DataTable.tsx';
import { ListView } from '../../ui/ListView.tsx';
import { Message } from '../../ui/Message.tsx';
import { Parts } from './Parts.tsx';
import { State } from './State.tsx';

/** All providers with their state. */
export function ProviderList() {
  const t = useTranslations('identityProviders');
  const [page, setPage] = useState(1);
  const query = useQuery({
    ...load(identityProviders.list, { query: { page, per_page: 25 } }),
    placeholderData: keepPreviousData,
  });
  const columns = useColumns();
  const add = (
    <Button
      renderRoot={(props) => <Link {...props} to={paths.signInSettings} search={{ provider: 'new' }} />}
      leftSection={<IconPlus size={16} aria-hidden />}
    >
      {t('add')}
    </Button>
  );
  const empty = (
    <Message icon={IconKey} title={t('none')} actions={add}>
      {t('noneText')}
    </Message>
  );
  return (
    <Parts part="providers" actions={query.data && query.data.meta.total > 0 && add}>
      <ListView<IdentityProvider>
        query={query}
        label={t('providers')}
        columns={columns}
        rowKey={({ id }) => id}
        card={(row) => <CardOf columns={columns} row={row} />}
        onPage={setPage}
        empty={empty}
      />
    </Parts>
  );
}

function useColumns(): Column<IdentityProvider>[] {
  const t = useTranslations('identityProviders');
  return [
    {
      id: 'name',
      header: t('field.name'),
      cell: ({ id, name }) => (
        <Link to={paths.signInSettings} search={{ provider: String(id) }}>
          <bdi>{name}</bdi>
        </Link>
      ),
    },
    {
      id: 'state',
      header: t('state'),
      cell: ({ is_enabled, failing }) => <State isOn={is_enabled} isFailing={failing !== null} />,
    },
    {
      id: 'domains',
      header: t('shownTo'),
      cell: ({ domains }) => (domains.length > 0 ? <bdi>{domains.join(', ')}</bdi> : t('everyone')),
    },
    { id: 'linked', header: t('linked'), cell: ({ linked_count }) => linked_count },
    { id: 'unmatched', header: t('tried'), cell: ({ unmatched_count }) => unmatched_count },
  ];
}
