import { ActionIcon } from '@mantine/core';
import { IconAlertTriangle, IconBolt, IconCheck, IconInfoCircle, IconTrash } from '@tabler/icons-react';
import { notifications, type Notification } from '@tenure/contract';
import { useRouter } from '@tanstack/react-router';
import { useTranslations } from 'use-intl';
import { useSend } from '../../api/query.ts';
import { useSession } from '../../api/session.tsx';
import { Moment } from '../../ui/Dates.tsx';
import { ErrorNotice } from '../../ui/ErrorNotice.tsx';
import { focusNeighbour } from '../../ui/focus-neighbour.ts';
import classes from '../../ui/Inbox.module.css';
import { useRemove } from './use-remove.ts';

const icons = { info: IconInfoCircle, action: IconBolt, warning: IconAlertTriangle } as const;

type Props = {
  row: Notification;
  /** Without buttons; the item can only be opened. */
  compact?: true;
};

/** A notification; opening it marks it as read. */
export function NotificationItem({ row, compact }: Props) {
  const t = useTranslations('notifications');
  const router = useRouter();
  const read = useSend(notifications.read);
  const unread = row.read_at === null;
  const Icon = icons[row.severity];
  const { viewing } = useSession();
  const markRead = () => unread && read.mutate({ params: { id: row.id } });
  return (
    <li className={classes['task']} data-unread={unread || undefined} data-read={!unread || undefined}>
      <Icon size={20} stroke={1.5} aria-hidden />
      <div className={classes['what']}>
        <a
          href={row.data.url}
          data-notification
          onClick={(event) => {
            // viewing as a role allows no changes, so opening does not mark it as read
            if (!viewing) markRead();
            if (event.metaKey || event.ctrlKey || event.shiftKey) return;
            event.preventDefault();
            void router.navigate({ href: row.data.url });
          }}
        >
          {unread && <span className="visually-hidden">{t('unread')} </span>}
          {row.title}
        </a>
        {row.body !== '' && <span className="muted">{row.body}</span>}
        <span className="muted">
          {t(`severity.${row.severity}`)} · <Moment value={row.created_at} />
        </span>
        <ErrorNotice error={read.error} />
      </div>
      {!compact && (
        <>
          {unread && <ReadButton title={row.title} isPending={read.isPending} onRead={markRead} />}
          <RemoveButton row={row} />
        </>
      )}
    </li>
  );
}

type ReadProps = { title: string; isPending: boolean; onRead: () => void };

function ReadButton({ title, isPending, onRead }: ReadProps) {
  const t = useTranslations('notifications');
  return (
    <ActionIcon
      variant="subtle"
      color="gray"
      aria-label={t('readOne', { title })}
      loading={isPending}
      onClick={({ currentTarget }) => {
        focusNeighbour(currentTarget, '[data-notification]');
        onRead();
      }}
    >
      <IconCheck size={16} aria-hidden />
    </ActionIcon>
  );
}

function RemoveButton({ row }: { row: Notification }) {
  const t = useTranslations('notifications');
  const remove = useRemove();
  return (
    <ActionIcon
      variant="subtle"
      color="gray"
      aria-label={t('remove', { title: row.title })}
      onClick={({ currentTarget }) => {
        focusNeighbour(currentTarget, '[data-notification]');
        remove(row);
      }}
    >
      <IconTrash size={16} aria-hidden />
    </ActionIcon>
  );
}
