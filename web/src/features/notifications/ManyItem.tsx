import { ActionIcon, Box, Button } from '@mantine/core';
import { IconCheck, IconStack2 } from '@tabler/icons-react';
import { notifications } from '@tenure/contract';
import { useState, type ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import { useSend } from '../../api/query.ts';
import { Moment } from '../../ui/Dates.tsx';
import { ErrorNotice } from '../../ui/ErrorNotice.tsx';
import classes from '../../ui/Inbox.module.css';
import type { GroupedEvent, Line } from './by-event.ts';

type Props = {
  event: GroupedEvent;
  threads: Line['threads'];
  /** The notifications, shown on request. */
  children: ReactNode;
};

/** Many notifications of one event as one line that opens. */
export function ManyItem({ event, threads, children }: Props) {
  const t = useTranslations('notifications');
  const [open, setOpen] = useState(false);
  const read = useSend(notifications.readAll);
  const rows = threads.flatMap(({ latest, earlier }) => [latest, ...earlier]);
  const isUnread = rows.some(({ read_at: at }) => at === null);
  const title = t(`many.${event}`, { count: threads.length });
  const { latest } = threads[0];
  return (
    <>
      <li className={classes['task']} data-many data-unread={isUnread || undefined} data-read={!isUnread || undefined}>
        <IconStack2 size={20} stroke={1.5} aria-hidden />
        <div className={classes['what']}>
          <b>
            {isUnread && <span className="visually-hidden">{t('unread')} </span>}
            {title}
          </b>
          <span className="muted">
            {t(`severity.${latest.severity}`)} · <Moment value={latest.created_at} />
          </span>
          <ErrorNotice error={read.error} />
        </div>
        <Button
          className={classes['more']}
          variant="subtle"
          size="compact-sm"
          aria-expanded={open}
          onClick={() => setOpen(!open)}
        >
          {open ? t('hideMany') : t('showMany', { count: threads.length })}
        </Button>
        {isUnread && (
          <ActionIcon
            variant="subtle"
            color="gray"
            aria-label={t('readMany', { title })}
            loading={read.isPending}
            onClick={() => read.mutate({ query: { event: [event] } })}
          >
            <IconCheck size={16} aria-hidden />
          </ActionIcon>
        )}
      </li>
      {open && (
        <Box component="li" ps={34}>
          <ul>{children}</ul>
        </Box>
      )}
    </>
  );
}
