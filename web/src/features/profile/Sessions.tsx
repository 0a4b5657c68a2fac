import { Button, Group, Stack } from '@mantine/core';
import { IconDeviceDesktop, IconDeviceMobile } from '@tabler/icons-react';
import { profile, type Reply } from '@tenure/contract';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { failedWithoutData, load, useSend } from '../../api/query.ts';
import { Moment } from '../../ui/Dates.tsx';
import { ErrorNotice } from '../../ui/ErrorNotice.tsx';
import { ErrorState } from '../../ui/ErrorState.tsx';
import { Pager } from '../../ui/Pager.tsx';
import { StatusBadge } from '../../ui/StatusBadge.tsx';
import { useToast } from '../../ui/toasts.tsx';
import { useLastPage } from '../../ui/use-last-page.ts';
import { deviceOf } from './devices.ts';
import { Block } from './Block.tsx';
import { LoadingLines } from '../../ui/LoadingLines.tsx';

const line = '1px solid var(--line)';

type Session = Reply<typeof profile.sessions>['data'][number];

/** The user's sessions; each except the current one can be signed out. */
export function Sessions() {
  const t = useTranslations('ownProfile.sessions');
  const toast = useToast();
  const [page, setPage] = useState(1);
  const query = useQuery({ ...load(profile.sessions, { query: { page } }), placeholderData: keepPreviousData });
  useLastPage(query, setPage);
  const endOthers = useSend(profile.endOtherSessions);
  if (query.isPending) return <LoadingLines lines={4} />;
  if (failedWithoutData(query)) return <ErrorState error={query.error} onRetry={() => void query.refetch()} />;
  const { data: rows, meta } = query.data;
  const others = meta.total > 1 && (
    <Button
      variant="default"
      size="compact-md"
      loading={endOthers.isPending}
      onClick={() => endOthers.mutate({}, { onSuccess: () => toast({ text: t('othersEnded') }) })}
    >
      {t('endOthers')}
    </Button>
  );
  return (
    <Block title={t('title')} lead={t('lead')} actions={others}>
      <ErrorNotice error={endOthers.error} />
      <ul aria-label={t('title')} style={{ borderBlockStart: line }}>
        {rows.map((session) => (
          <OneSession key={session.id} session={session} />
        ))}
      </ul>
      {meta.last_page > 1 && <Pager meta={meta} onPage={setPage} />}
    </Block>
  );
}

/** The names of a session's browser and system, and the icon of its device. */
function useDevice({ user_agent: agent }: Session) {
  const t = useTranslations('ownProfile.sessions');
  const { browser, system, mobile } = deviceOf(agent);
  const name = browser && system ? t('device', { browser, system }) : (browser ?? system ?? agent ?? t('unknown'));
  return { name, Icon: mobile ? IconDeviceMobile : IconDeviceDesktop };
}

function OneSession({ session }: { session: Session }) {
  const t = useTranslations('ownProfile.sessions');
  const toast = useToast();
  const end = useSend(profile.endSession);
  const { name, Icon } = useDevice(session);
  const ended = () => toast({ text: t('ended', { name }) });
  return (
    <Group
      gap={14}
      px={4}
      py={12}
      style={{ borderBlockEnd: line }}
      wrap="nowrap"
      renderRoot={(props) => <li {...props} />}
    >
      <Icon className="muted" size={22} stroke={1.5} style={{ flex: 'none' }} aria-hidden />
      <Stack flex={1} gap={2} miw={0} fz="sm">
        <Group gap="2px 10px" fz="md" fw={550} style={{ overflowWrap: 'anywhere' }}>
          <bdi>{name}</bdi>
          {session.current && <StatusBadge tone="good" label={t('current')} />}
        </Group>
        <HowItBegan session={session} />
        <Seen session={session} />
        <ErrorNotice error={end.error} />
      </Stack>
      {!session.current && (
        <Button
          variant="default"
          size="compact-sm"
          loading={end.isPending}
          onClick={() => end.mutate({ params: { id: session.id } }, { onSuccess: ended })}
        >
          {t('end')}
          <span className="visually-hidden"> {name}</span>
        </Button>
      )}
    </Group>
  );
}

/** How the user signed in. */
function HowItBegan({ session: { method, factors, provider } }: { session: Session }) {
  const t = useTranslations('ownProfile.sessions');
  const how = method === 'sso' && provider !== null ? t('method.provider', { provider }) : t(`method.${method}`);
  // a passkey is both factors
  return <span className="muted">{factors === 2 && method !== 'passkey' ? t('twoFactors', { how }) : how}</span>;
}

/** The address and the times of a session. */
function Seen({ session: { ip, last_seen_at: seen, created_at: since } }: { session: Session }) {
  const t = useTranslations('ownProfile.sessions');
  return (
    <span className="muted">
      {ip && (
        <>
          {t('from')} <bdi className="numbers">{ip}</bdi>
          {' · '}
        </>
      )}
      {t('seen')} <Moment value={seen} />
      {' · '}
      {t('since')} <Moment value={since} />
    </span>
  );
}
