import { notifications } from '@tenure/contract';
import { useQuery } from '@tanstack/react-query';
import { load } from '../../api/query.ts';

const minute = 60_000;
export const unread = load(notifications.unreadCount, {});

/** The number of unread notifications. */
export function useUnread(): number {
  // The event stream updates the count; polling is the fallback.
  const { data } = useQuery({ ...unread, refetchInterval: minute, staleTime: minute / 2 });
  return data?.data.count ?? 0;
}
