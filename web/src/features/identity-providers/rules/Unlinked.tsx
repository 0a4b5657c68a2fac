import { Box } from '@mantine/core';
import { signInPolicies, type UnlinkedAccount } from '@tenure/contract';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { load } from '../../../api/query.ts';
import { CardOf } from '../../../ui/CardOf.tsx';
import { DataTable, type Column } from '../../../ui/DataTable.tsx';
import { Pager } from '../../../ui/Pager.tsx';
import { StatusBadge } from '../../../ui/StatusBadge.tsx';

type Props = { target: string; providers: readonly number[]; count: number };

/** The people not linked to any of the providers; those who cannot be matched by email come first. */
export function Unlinked({ target, providers, count }: Props) {
  const t = useTranslations('signInRules');
  const [page, setPage] = useState(1);
  const columns = useColumns();
  const query = useQuery({
    ...load(signInPolicies.unlinked, {
      params: { entity: target },
      query: { provider_ids: providers.join(','), page, per_page: 5 },
    }),
    placeholderData: keepPreviousData,
  });
  if (!query.data) return null;
  const { data, meta } = query.data;
  return (
    <Box style={{ border: '1px solid var(--line)', borderRadius: 8, overflow: 'hidden' }} mih={count > 5 ? 250 : 0}>
      <DataTable<UnlinkedAccount>
        label={t('unlinkedTable')}
        columns={columns}
        rows={data}
        rowKey={({ user_id }) => user_id}
        card={(row) => <CardOf columns={columns} row={row} />}
        stale={query.isPlaceholderData}
        compact
      />
      {meta.last_page > 1 && <Pager meta={meta} onPage={setPage} />}
    </Box>
  );
}

function useColumns(): Column<UnlinkedAccount>[] {
  const t = useTranslations('signInRules');
  return [
    { id: 'person', header: t('person'), cell: ({ name }) => <bdi>{name}</bdi> },
    {
      id: 'email',
      header: t('email'),
      cell: ({ email }) => <bdi style={{ overflowWrap: 'anywhere' }}>{email}</bdi>,
    },
    {
      id: 'first',
      header: t('firstTime'),
      cell: ({ is_found }) => (
        <StatusBadge tone={is_found ? 'good' : 'warn'} label={t(is_found ? 'found' : 'mustLink')} />
      ),
    },
  ];
}
