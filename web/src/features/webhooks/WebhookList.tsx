import { Button, Group } from '@mantine/core';
import { IconPlus, IconWebhook } from '@tabler/icons-react';
import { webhooks, type Webhook } from '@tenure/contract';
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
import { Hours, State } from './State.tsx';

const route = getRouteApi('/shell/settings/webhooks');

/** All webhooks with their state. */
export function WebhookList() {
  const t = useTranslations('webhooks');
  const { page = 1 } = route.useSearch();
  const navigate = route.useNavigate();
  const query = useQuery({
    ...load(webhooks.list, { query: { page, per_page: 25, sort_by: 'name' } }),
    placeholderData: keepPreviousData,
  });
  const columns = useColumns();
  const add = (
    <Button
      renderRoot={(props) => <Link {...props} to={paths.webhooks} search={{ webhook: 'new' }} />}
      leftSection={<IconPlus size={16} aria-hidden />}
    >
      {t('add')}
    </Button>
  );
  return (
    <>
      <Group justify="space-between" px="gutter" py={12} gap={12}>
        <p className="muted">{t('lead')}</p>
        {query.data && query.data.meta.total > 0 && add}
      </Group>
      <ListView<Webhook>
        query={query}
        label={t('title')}
        columns={columns}
        rowKey={({ id }) => id}
        card={(row) => <CardOf columns={columns} row={row} />}
        onPage={(next) => void navigate({ search: { page: next } })}
        empty={
          <Message icon={IconWebhook} title={t('none')} actions={add}>
            {t('noneText')}
          </Message>
        }
      />
    </>
  );
}

function useColumns(): Column<Webhook>[] {
  const t = useTranslations('webhooks');
  return [
    {
      id: 'name',
      header: t('field.name'),
      cell: ({ id, name }) => (
        <Link to={paths.webhooks} search={{ webhook: String(id) }}>
          <bdi>{name}</bdi>
        </Link>
      ),
    },
    { id: 'host', header: t('host'), cell: ({ url }) => <bdi>{new URL(url).host}</bdi> },
    { id: 'state', header: t('state'), cell: (row) => <State webhook={row} /> },
    { id: 'hours', header: t('day'), cell: ({ hours }) => <Hours hours={hours} /> },
    { id: 'pending', header: t('pending'), cell: ({ pending_count }) => pending_count },
    { id: 'dead', header: t('dead'), cell: ({ dead_count }) => dead_count },
    {
      id: 'last',
      header: t('last'),
      cell: ({ last_sent_at: last }) => (last === null ? t('never') : <Moment value={last} />),
    },
  ];
}
