import { Button } from '@mantine/core';
import { IconDeviceDesktop, IconDeviceMobile } from '@tabler/icons-react';
import { profile, type Reply } from '@tenure/contract';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { isLost, load, useSend } from '../../api/query.ts';
import { Moment } from '../../ui/Dates.tsx';
import { ErrorNotice } from '../../ui/ErrorNotice.tsx';
import { ErrorState } from '../../ui/ErrorState.tsx';
import { Pager } from '../../ui/Pager.tsx';
import { StatusBadge } from '../../ui/StatusBadge.tsx';
import { useToast } from '../../ui/toasts.tsx';
import { useLastPage } from '../../ui/use-last-page.ts';
import { ProfileLines } from '../../ui/ProfileLines.tsx';
import { deviceOf } from './devices.ts';
import classes from './profile.module.css';

type Session = Reply<typeof profile.sessions>['data'][number];

/** Where the reader is signed in; each place but this one can be ended from here. */
export function Sessions() {
  const t = useTranslations('ownProfile.sessions');
  const toast = useToast();
  const [page, setPage] = useState(1);
  const query = useQuery({ ...load(profile.sessions, { query: { page } }), placeholderData: keepPreviousData });
  useLastPage(query, setPage);
  const endOthers = useSend(profile.endOtherSessions);
  if (query.isPending) return <ProfileLines />;
  if (isLost(query)) return <ErrorState error={query.error} onRetry={() => void query.refetch()} />;
  const { data: rows, meta } = query.data;
  return (
    <section className={classes['block']}>
      <div className={classes['blockHead']}>
        <h2>{t('title')}</h2>
        {meta.total > 1 && (
          <Button
            variant="default"
            size="compact-md"
            loading={endOthers.isPending}
            onClick={() => endOthers.mutate({}, { onSuccess: () => toast({ text: t('othersEnded') }) })}
          >
            {t('endOthers')}
          </Button>
        )}
      </div>
      <p className="muted">{t('lead')}</p>
      <ErrorNotice error={endOthers.error} />
      <ul className={classes['sessions']} aria-label={t('title')}>
        {rows.map((session) => (
          <OneSession key={session.id} session={session} />
        ))}
      </ul>
      {meta.last_page > 1 && <Pager meta={meta} onPage={setPage} />}
    </section>
  );
}

function OneSession({ session }: { session: Session }) {
  const t = useTranslations('ownProfile.sessions');
  const toast = useToast();
  const end = useSend(profile.endSession);
  const { browser, system, mobile } = deviceOf(session.user_agent);
  const name =
    browser && system ? t('device', { browser, system }) : (browser ?? system ?? session.user_agent ?? t('unknown'));
  const Icon = mobile ? IconDeviceMobile : IconDeviceDesktop;
  return (
    <li className={classes['session']}>
      <Icon size={22} stroke={1.5} aria-hidden />
      <div className={classes['sessionText']}>
        <span className={classes['device']}>
          <bdi>{name}</bdi>
          {session.current && <StatusBadge tone="good" label={t('current')} />}
        </span>
        <span className="muted">
          {session.ip && (
            <>
              {t('from')} <bdi className="numbers">{session.ip}</bdi>
              {' · '}
            </>
          )}
          {t('seen')} <Moment value={session.last_seen_at} />
          {' · '}
          {t('since')} <Moment value={session.created_at} />
        </span>
        <ErrorNotice error={end.error} />
      </div>
      {!session.current && (
        <Button
          variant="default"
          size="compact-sm"
          loading={end.isPending}
          onClick={() =>
            end.mutate({ params: { id: session.id } }, { onSuccess: () => toast({ text: t('ended', { name }) }) })
          }
        >
          {t('end')}
          <span className="visually-hidden"> {name}</span>
        </Button>
      )}
    </li>
  );
}
