import { Switch, TextInput } from '@mantine/core';
import { digests, notificationPreferences, type NotificationPreferences } from '@tenure/contract';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import type { ApiError } from '../../api/api-error.ts';
import type { Input } from '../../api/call.ts';
import { useSequentialSend } from '../../api/use-sequential-send.ts';
import { failedWithoutData, load } from '../../api/query.ts';
import { ErrorNotice } from '../../ui/ErrorNotice.tsx';
import { ErrorState } from '../../ui/ErrorState.tsx';
import { DataTable, type Column } from '../../ui/DataTable.tsx';
import { CardOf } from '../../ui/CardOf.tsx';
import { Pills } from '../../ui/Pills.tsx';
import { TimezoneSelect } from '../../ui/TimezoneSelect.tsx';
import { channels, ChannelSwitch, type Channel } from '../notifications/settings/ChannelSwitch.tsx';
import { Block, Blocks, fieldWidth, Setting } from './Block.tsx';
import { LoadingLines } from '../../ui/LoadingLines.tsx';

type Line = NotificationPreferences['events'][number];
type Body = NonNullable<Input<typeof notificationPreferences.update>['body']>;
type Keep = (body: Body) => void;

const preferencesQuery = load(notificationPreferences.get, {});
const mails = 'mails';

/** The user's notification settings: events, channels and mail delivery. Each change is saved at once. */
export function Notifications() {
  const query = useQuery(preferencesQuery);
  if (query.isPending) return <LoadingLines lines={4} />;
  if (failedWithoutData(query)) return <ErrorState error={query.error} onRetry={() => void query.refetch()} />;
  return <Choices kept={query.data.data} />;
}

function Choices({ kept }: { kept: NotificationPreferences }) {
  const t = useTranslations('notificationSettings');
  const queries = useQueryClient();
  const { send, errorOf } = useSequentialSend(notificationPreferences.update, (reply) =>
    queries.setQueryData(preferencesQuery.queryKey, reply),
  );
  const revision = () => (queries.getQueryData(preferencesQuery.queryKey)?.data ?? kept).revision;
  const keep = (about: string, body: Body) => void send(about, () => ({ body: { ...body, revision: revision() } }));
  const columns = useColumns(
    ({ event }, wanted) => keep(event, { events: [{ event, ...wanted }] }),
    ({ event }) => errorOf(event),
  );
  return (
    <Blocks>
      <Block title={t('mails')} {...(!kept.mail_is_on && { lead: t('noMail') })}>
        <ErrorNotice error={errorOf(mails)} />
        {kept.mail_is_on && <Mails kept={kept} keep={(body) => keep(mails, body)} />}
      </Block>
      <Block title={t('events')} lead={t('eventsLead')}>
        <DataTable
          label={t('events')}
          columns={columns}
          rows={kept.events}
          rowKey={(line) => line.event}
          card={(line) => <CardOf columns={columns} row={line} />}
          groupOf={(line) => t(`groups.${line.group}`)}
        />
      </Block>
    </Blocks>
  );
}

type MailsProps = { kept: NotificationPreferences; keep: Keep };

/** Mail delivery, at once or once a day, and quiet hours. */
function Mails({ kept, keep }: MailsProps) {
  const t = useTranslations('notificationSettings');
  const hasQuietHours = kept.quiet_from !== null;
  return (
    <>
      <Setting label={t('digest')} hint={t('digestHint')}>
        <Pills
          label={t('digest')}
          options={digests.map((value) => ({ value, label: t(`digests.${value}`) }))}
          value={kept.digest}
          onChange={(digest) => keep({ digest })}
        />
      </Setting>
      <Switch
        checked={hasQuietHours}
        label={t('quiet')}
        description={t('quietHint')}
        onChange={({ currentTarget: { checked } }) =>
          keep(checked ? { quiet_from: '20:00', quiet_to: '07:00' } : { quiet_from: null, quiet_to: null })
        }
      />
      {hasQuietHours && (
        <>
          <TimeField label={t('quietFrom')} value={kept.quiet_from} onChange={(quiet_from) => keep({ quiet_from })} />
          <TimeField label={t('quietTo')} value={kept.quiet_to} onChange={(quiet_to) => keep({ quiet_to })} />
        </>
      )}
      <TimezoneSelect
        maw={fieldWidth}
        label={t('zone')}
        description={t('zoneHint')}
        value={kept.effective_time_zone}
        onChange={(time_zone) => keep({ time_zone })}
      />
    </>
  );
}

type TimeFieldProps = { label: string; value: string | null; onChange: (value: string) => void };

/** A time of day, saved on blur. */
const TimeField = ({ label, value, onChange }: TimeFieldProps) => (
  <TextInput
    key={value}
    type="time"
    maw={fieldWidth}
    label={label}
    defaultValue={value ?? ''}
    onBlur={({ currentTarget: { value: typed } }) => typed !== '' && typed !== value && onChange(typed)}
  />
);

/** The columns of switches, for events that the installation does not lock. */
function useColumns(
  change: (line: Line, wanted: { [K in Channel]?: boolean }) => void,
  errorOf: (line: Line) => ApiError | undefined,
): Column<Line>[] {
  const t = useTranslations('notificationSettings');
  const reasonOf = (line: Line, channel: Channel) => {
    if (!line.available_channels.includes(channel)) return t('off');
    return line.locked_channels.includes(channel) ? t('always') : undefined;
  };
  return [
    {
      id: 'event',
      header: t('event'),
      cell: (line) => (
        <>
          {line.label}
          <ErrorNotice error={errorOf(line)} />
        </>
      ),
    },
    ...channels.map((channel): Column<Line> => ({
      id: channel,
      header: t(`channel.${channel}`),
      cell: (line) => (
        <ChannelSwitch
          channel={channel}
          what={line.label}
          on={line[channel] && line.available_channels.includes(channel)}
          reason={reasonOf(line, channel)}
          onChange={(on) => change(line, { [channel]: on })}
        />
      ),
    })),
  ];
}
