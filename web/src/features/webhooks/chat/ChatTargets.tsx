import { Button, Group, Stack } from '@mantine/core';
import { IconMessages, IconPlus } from '@tabler/icons-react';
import { chatTargets, type ChatTarget } from '@tenure/contract';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { load } from '../../../api/query.ts';
import { CardOf } from '../../../ui/CardOf.tsx';
import type { Column } from '../../../ui/DataTable.tsx';
import { Moment } from '../../../ui/Dates.tsx';
import { ListView } from '../../../ui/ListView.tsx';
import { Message } from '../../../ui/Message.tsx';
import { StatusBadge } from '../../../ui/StatusBadge.tsx';
import { ChatForm } from './ChatForm.tsx';
import { DeleteTarget, ResumeTarget, TestTarget } from './ChatActions.tsx';
import { useTimeOfDay } from './use-time-of-day.ts';

const route = getRouteApi('/shell/settings/webhooks');

/** Channels to which the numbers of due tasks are posted. */
export function ChatTargets() {
  const t = useTranslations('chatTargets');
  const { page = 1 } = route.useSearch();
  const navigate = route.useNavigate();
  const [edited, setEdited] = useState<ChatTarget | 'new'>();
  const query = useQuery({
    ...load(chatTargets.list, { query: { page, per_page: 25, sort_by: 'name' } }),
    placeholderData: keepPreviousData,
  });
  const columns = useColumns(setEdited);
  const add = (
    <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setEdited('new')}>
      {t('add')}
    </Button>
  );
  return (
    <>
      <Group justify="space-between" px="gutter" py={12} gap={12}>
        <p className="muted">{t('lead')}</p>
        {query.data && query.data.meta.total > 0 && add}
      </Group>
      <ListView<ChatTarget>
        query={query}
        label={t('title')}
        columns={columns}
        rowKey={({ id }) => id}
        card={(row) => <CardOf columns={columns} row={row} />}
        onPage={(next) => void navigate({ search: { view: 'chat', page: next } })}
        empty={
          <Message icon={IconMessages} title={t('none')} actions={add}>
            {t('noneText')}
          </Message>
        }
      />
      <ChatForm target={edited} onClose={() => setEdited(undefined)} />
    </>
  );
}

function useColumns(onEdit: (target: ChatTarget) => void): Column<ChatTarget>[] {
  const t = useTranslations('chatTargets');
  const timeOf = useTimeOfDay();
  return [
    {
      id: 'name',
      header: t('field.name'),
      cell: (row) => (
        // negative margins align the label with the column
        <Button variant="subtle" size="compact-sm" mx={-8} onClick={() => onEdit(row)}>
          <bdi>{row.name}</bdi>
        </Button>
      ),
    },
    { id: 'kind', header: t('field.kind'), cell: ({ kind }) => t(`kind.${kind}`) },
    { id: 'host', header: t('host'), cell: ({ host }) => <bdi>{host}</bdi> },
    {
      id: 'when',
      header: t('when'),
      cell: ({ weekday, hour, timezone }) => (
        <Stack gap={0} align="flex-start">
          {t('at', { day: t(`weekday.${String(weekday ?? 0) as '0'}`), time: timeOf(hour) })}
          <bdi className="muted small">{timezone}</bdi>
        </Stack>
      ),
    },
    { id: 'state', header: t('state'), cell: (row) => <State target={row} /> },
    { id: 'last', header: t('last'), cell: (row) => <Last target={row} /> },
    {
      id: 'actions',
      header: t('actions'),
      headerHidden: true,
      cell: (row) => (
        <Group gap={8} wrap="nowrap" justify="flex-end">
          {row.allowed_actions.includes('resume') && <ResumeTarget target={row} />}
          <TestTarget target={row} />
          <DeleteTarget target={row} />
        </Group>
      ),
    },
  ];
}

/** The last attempt, highlighted if it failed. */
function Last({ target: { tried_at: at, error } }: { target: ChatTarget }) {
  const t = useTranslations('chatTargets');
  if (at === null) return t('never');
  return (
    <>
      <Moment value={at} /> {error !== null && <StatusBadge tone="danger" label={t('failed')} />}
    </>
  );
}

/** Whether the channel gets posts, or why not. */
function State({ target: { status, reason } }: { target: ChatTarget }) {
  const t = useTranslations('chatTargets');
  if (status === 'active') return <StatusBadge tone="good" label={t('is.active')} />;
  return (
    <Stack gap={2} align="flex-start">
      <StatusBadge tone="danger" label={t('is.stopped')} />
      {reason !== null && <span className="muted small">{t(`why.${reason}`)}</span>}
    </Stack>
  );
}
