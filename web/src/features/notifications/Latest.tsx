import { Button, Skeleton } from '@mantine/core';
import { notifications } from '@tenure/contract';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslations } from 'use-intl';
import { isLost, load, useSend } from '../../api/query.ts';
import { paths } from '../../paths.ts';
import { ErrorNotice } from '../../ui/ErrorNotice.tsx';
import classes from '../../ui/Inbox.module.css';
import { NotificationItem } from './NotificationItem.tsx';
import { useUnread } from './use-unread.ts';

/** The latest notifications, in the popover of the bell. */
export function Latest() {
  const t = useTranslations('notifications');
  const table = useTranslations('table');
  const unread = useUnread();
  const query = useQuery(load(notifications.list, { query: { per_page: 6 } }));
  const readAll = useSend(notifications.readAll);
  const rows = query.data?.data ?? [];
  return (
    <>
      <div className={classes['head']}>
        <h2>{t('title')}</h2>
        <Button
          variant="subtle"
          size="compact-sm"
          loading={readAll.isPending}
          disabled={unread === 0}
          onClick={() => readAll.mutate({})}
        >
          {t('readAll')}
        </Button>
      </div>
      <ErrorNotice error={isLost(query) ? query.error : readAll.error} />
      {query.isPending && (
        <div className={classes['head']}>
          <output className="visually-hidden">{table('loading')}</output>
          <Skeleton height={52} />
        </div>
      )}
      {query.data?.meta.total === 0 && <p className={`muted ${classes['head']}`}>{t('noneText')}</p>}
      <ul className={classes['latest']}>
        {rows.map((row) => (
          <NotificationItem key={row.id} row={row} compact />
        ))}
      </ul>
      <div className={classes['head']}>
        <Link to={paths.notifications}>{t('all')}</Link>
      </div>
    </>
  );
}
