import { Select } from '@mantine/core';
import { notificationGroups, notificationSettings, type NotificationSetting } from '@tenure/contract';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useTranslations } from 'use-intl';
import { useSequentialSend } from '../../../api/use-sequential-send.ts';
import { load } from '../../../api/query.ts';
import { CardOf } from '../../../ui/CardOf.tsx';
import type { ApiError } from '../../../api/api-error.ts';
import type { Column } from '../../../ui/DataTable.tsx';
import { ErrorNotice } from '../../../ui/ErrorNotice.tsx';
import { ErrorState } from '../../../ui/ErrorState.tsx';
import { Filters } from '../../../ui/Filters.tsx';
import { ListView } from '../../../ui/ListView.tsx';
import { Message } from '../../../ui/Message.tsx';
import { PageHeader } from '../../../ui/PageHeader.tsx';
import { useToast } from '../../../ui/toasts.tsx';
import { channels, ChannelSwitch, type Channel } from './ChannelSwitch.tsx';
import { LeadDays } from './LeadDays.tsx';
import { SendTest } from './SendTest.tsx';

const route = getRouteApi('/shell/settings/notifications');

type Wanted = { in_app?: boolean; email?: boolean; lead_days?: number[] };

/** The notification settings of the installation: events and channels. */
export function NotificationSettingsPage() {
  const t = useTranslations('notificationSettings');
  const { group } = route.useSearch();
  const navigate = route.useNavigate();
  const list = load(notificationSettings.list, { query: { group, per_page: 100 } });
  const query = useQuery(list);
  const columns = useColumns(useChange(list));
  if (query.error?.status === 403) return <ErrorState page error={query.error} onRetry={() => void query.refetch()} />;
  const mailIsOff = query.data?.data.every((row) => !row.mail_is_on) ?? false;
  return (
    <>
      <PageHeader title={t('title')} lead={mailIsOff ? t('noServer') : t('lead')}>
        {query.data && query.data.data.length > 0 && <SendTest settings={query.data.data} />}
      </PageHeader>
      <Filters>
        <Select
          aria-label={t('group')}
          placeholder={t('group')}
          clearable
          data={notificationGroups.map((value) => ({ value, label: t(`groups.${value}`) }))}
          value={group ?? null}
          onChange={(value) => void navigate({ search: value ? { group: value } : {} })}
        />
      </Filters>
      <ListView
        query={query}
        label={t('title')}
        columns={columns}
        rowKey={(row) => row.event}
        card={(row) => <CardOf columns={columns} row={row} />}
        groupOf={(row) => t(`groups.${row.group}`)}
        onPage={() => {}}
        empty={<Message title={t('title')} />}
      />
    </>
  );
}

type Change = {
  send: (row: NotificationSetting, wanted: Wanted) => Promise<boolean>;
  errorOf: (row: NotificationSetting) => ApiError | undefined;
};

/** Sends a change at once and offers to undo it. */
function useChange({ queryKey }: ReturnType<typeof load<typeof notificationSettings.list>>): Change {
  const t = useTranslations('notificationSettings');
  const toast = useToast();
  const queries = useQueryClient();
  const { send, errorOf } = useSequentialSend(notificationSettings.update, ({ data: kept }) =>
    queries.setQueryData(
      queryKey,
      (old) => old && { ...old, data: old.data.map((row) => (row.event === kept.event ? kept : row)) },
    ),
  );
  const revisionOf = (row: NotificationSetting) =>
    queries.getQueryData(queryKey)?.data.find(({ event }) => event === row.event)?.revision ?? row.revision;
  return {
    errorOf: (row) => errorOf(row.event),
    send: async (row, wanted) => {
      const params = { event: row.event };
      const before = Object.fromEntries(Object.keys(wanted).map((name) => [name, row[name as keyof Wanted]])) as Wanted;
      const isKept = await send(row.event, () => ({ params, body: { ...wanted, revision: revisionOf(row) } }));
      const undo = () => void send(row.event, () => ({ params, body: before }));
      if (isKept) toast({ text: t('saved', { what: row.label }), undo });
      return isKept;
    },
  };
}

function useColumns({ send, errorOf }: Change): Column<NotificationSetting>[] {
  const t = useTranslations('notificationSettings');
  const channel = (id: Channel): Column<NotificationSetting> => ({
    id,
    header: t(`channel.${id}`),
    cell: (row) => (
      <ChannelSwitch
        channel={id}
        what={row.label}
        on={row[id]}
        reason={row.locked_channels.includes(id) ? t('always') : undefined}
        onChange={(on) => void send(row, { [id]: on })}
      />
    ),
  });
  return [
    { id: 'event', header: t('event'), cell: (row) => <What row={row} error={errorOf(row)} /> },
    ...channels.map(channel),
    {
      id: 'lead_days',
      header: t('leadDays'),
      cell: (row) =>
        row.lead_days === null ? (
          <span className="muted">–</span>
        ) : (
          <LeadDays
            setting={row}
            error={errorOf(row)?.fieldErrors['lead_days']}
            onChange={(lead_days) => send(row, { lead_days })}
          />
        ),
    },
  ];
}

function What({ row, error }: { row: NotificationSetting; error: ApiError | undefined }) {
  const t = useTranslations('notificationSettings');
  return (
    <>
      <div>{row.label}</div>
      <div className="muted">
        {t('to', { who: row.recipients.map((audience) => t(`audience.${audience}`)).join(', ') })}
      </div>
      <ErrorNotice error={error} fields={['lead_days']} />
    </>
  );
}
