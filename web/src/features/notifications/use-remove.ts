import { notifications, type Notification } from '@tenure/contract';
import { useQueryClient } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import { call } from '../../api/call.ts';
import { defer, flush, cancelDeferred } from '../../ui/deferred.ts';
import { useToast } from '../../ui/toasts.tsx';

/** The key of a removal that can still be undone. */
export const removalOf = ({ id }: Pick<Notification, 'id'>): string => `notification.${id}`;

/** Removes a notification once the time to undo is over. */
export function useRemove(): (row: Notification) => void {
  const t = useTranslations('notifications');
  const toast = useToast();
  const queries = useQueryClient();
  return (row) => {
    const name = removalOf(row);
    defer(name, async (options) => {
      try {
        await call(notifications.delete, { params: { id: row.id } }, options);
      } catch {
        toast({ text: t('notRemoved') });
      }
      const paths: readonly string[] = [notifications.list.path, notifications.unreadCount.path];
      await queries.invalidateQueries({ predicate: ({ queryKey }) => paths.includes(String(queryKey[0])) });
    });
    toast({ text: t('removed'), undo: () => cancelDeferred(name), onGone: () => void flush(name) });
  };
}
