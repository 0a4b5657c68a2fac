import { Box, Button, Select } from '@mantine/core';
import { notifications, notificationSeverities, type Notification } from '@tenure/contract';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { Fragment, useState } from 'react';
import { useTranslations } from 'use-intl';
import { failedWithoutData, load, useSend } from '../../api/query.ts';
import { paths } from '../../paths.ts';
import { useDeferred } from '../../ui/deferred.ts';
import { ErrorNotice } from '../../ui/ErrorNotice.tsx';
import { ErrorState } from '../../ui/ErrorState.tsx';
import { Filters } from '../../ui/Filters.tsx';
import classes from '../../ui/Inbox.module.css';
import { ScrollPane } from '../../ui/ScrollPane.tsx';
import { ListSkeleton } from '../../ui/ListView.tsx';
import { Message } from '../../ui/Message.tsx';
import { PageHeader } from '../../ui/PageHeader.tsx';
import { Pager } from '../../ui/Pager.tsx';
import { Pills } from '../../ui/Pills.tsx';
import { SearchField } from '../../ui/SearchField.tsx';
import { useLastPage } from '../../ui/use-last-page.ts';
import { useRowsByKey } from '../../ui/use-rows-by-key.ts';
import { byEvent } from './by-event.ts';
import { bySubject, type Thread } from './by-subject.ts';
import { ManyItem } from './ManyItem.tsx';
import type { NotificationsSearch } from './search.ts';
import { NotificationItem } from './NotificationItem.tsx';
import { removalOf } from './use-remove.ts';
import { useUnread } from './use-unread.ts';

const route = getRouteApi('/shell/notifications');
const preferences = { part: 'notifications' } as const;

type Change = { [K in keyof NotificationsSearch]?: NotificationsSearch[K] | undefined };

/** All notifications of the user, latest first, grouped by record. */
export function NotificationsPage() {
  const t = useTranslations('notifications');
  const search = route.useSearch();
  const change = useFilterChange();
  const query = useQuery({
    ...load(notifications.list, { query: { ...search, per_page: 50 } }),
    placeholderData: keepPreviousData,
  });
  useLastPage(query);
  const unread = useUnread();
  const removed = useDeferred();
  useRowsByKey('[data-notification]');
  if (failedWithoutData(query)) return <ErrorState page error={query.error} onRetry={() => void query.refetch()} />;
  const rows = (query.data?.data ?? []).filter((row) => !removed.has(removalOf(row)));
  return (
    <>
      <PageHeader title={t('title')} lead={t('count', { count: unread })}>
        <Button variant="default" renderRoot={(props) => <Link {...props} to={paths.profile} search={preferences} />}>
          {t('choose')}
        </Button>
        <ReadAll search={search} disabled={unread === 0} />
      </PageHeader>
      <NotificationFilters search={search} onChange={change} />
      {query.isPending ? (
        <ListSkeleton />
      ) : rows.length === 0 && query.data.meta.total === query.data.data.length ? (
        <EmptyState
          search={search}
          onClear={() => change({ search: undefined, severity: undefined, unread: undefined })}
        />
      ) : (
        <Threads rows={rows} isStale={query.isPlaceholderData} />
      )}
      {query.data && query.data.meta.last_page > 1 && (
        <Pager meta={query.data.meta} onPage={(page) => change({ page })} />
      )}
    </>
  );
}

function useFilterChange() {
  const navigate = route.useNavigate();
  return (patch: Change) =>
    void navigate({
      search: (old) => ({ ...old, page: undefined, ...patch }) as NotificationsSearch,
      replace: 'search' in patch,
    });
}

function Threads({ rows, isStale }: { rows: readonly Notification[]; isStale: boolean }) {
  const t = useTranslations('notifications');
  return (
    <ScrollPane line px="gutter" pb="gutter" data-stale={isStale || undefined}>
      <ul aria-label={t('title')}>
        {byEvent(bySubject(rows)).map(({ key, event, threads }) => {
          const items = threads.map((thread) => <Together key={thread.key} thread={thread} />);
          return event ? (
            <ManyItem key={key} event={event} threads={threads}>
              {items}
            </ManyItem>
          ) : (
            <Fragment key={key}>{items}</Fragment>
          );
        })}
      </ul>
    </ScrollPane>
  );
}

/** Marks all notifications of the filters as read, on all pages. */
function ReadAll({ search, disabled }: { search: NotificationsSearch; disabled: boolean }) {
  const t = useTranslations('notifications');
  const readAll = useSend(notifications.readAll);
  const { page: _page, ...query } = search;
  const narrowed = search.search !== undefined || search.severity !== undefined;
  return (
    <>
      <ErrorNotice error={readAll.error} />
      <Button disabled={disabled} loading={readAll.isPending} onClick={() => readAll.mutate({ query })}>
        {t(narrowed ? 'readShown' : 'readAll')}
      </Button>
    </>
  );
}

type FilterProps = { search: NotificationsSearch; onChange: (patch: Change) => void };

function NotificationFilters({ search, onChange }: FilterProps) {
  const t = useTranslations('notifications');
  return (
    <Filters>
      <SearchField label={t('search')} value={search.search} onChange={(text) => onChange({ search: text })} />
      <Select
        aria-label={t('severityLabel')}
        placeholder={t('severityLabel')}
        clearable
        data={notificationSeverities.map((value) => ({ value, label: t(`severity.${value}`) }))}
        value={search.severity ?? null}
        onChange={(severity) => onChange({ severity: severity ?? undefined })}
      />
      <Pills
        label={t('show')}
        options={[
          { value: 'all', label: t('showAll') },
          { value: 'unread', label: t('showUnread') },
        ]}
        value={search.unread ? 'unread' : 'all'}
        onChange={(value) => onChange({ unread: value === 'unread' ? true : undefined })}
      />
    </Filters>
  );
}

function Together({ thread: { latest, earlier } }: { thread: Thread }) {
  const t = useTranslations('notifications');
  const [open, setOpen] = useState(false);
  if (earlier.length === 0) return <NotificationItem row={latest} />;
  return (
    <>
      <NotificationItem row={latest} />
      <Box component="li" ps={34} className={classes['earlier'] ?? ''}>
        <Button variant="subtle" size="compact-sm" aria-expanded={open} onClick={() => setOpen(!open)}>
          {t(open ? 'hideEarlier' : 'earlier', { count: earlier.length })}
        </Button>
        {open && (
          <ul>
            {earlier.map((row) => (
              <NotificationItem key={row.id} row={row} />
            ))}
          </ul>
        )}
      </Box>
    </>
  );
}

function EmptyState({ search, onClear }: { search: NotificationsSearch; onClear: () => void }) {
  const t = useTranslations('notifications');
  const { page: _page, ...filters } = search;
  if (Object.keys(filters).length === 0) return <Message title={t('none')}>{t('noneText')}</Message>;
  const clear = (
    <Button variant="default" onClick={onClear}>
      {t('clear')}
    </Button>
  );
  return (
    <Message title={t('noResult')} actions={clear}>
      {t('noResultText')}
    </Message>
  );
}
