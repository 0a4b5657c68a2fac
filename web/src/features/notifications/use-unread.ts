import { notifications } from '@tenure/contract';
import { useQuery } from '@tanstack/react-query';
import { load } from '../../api/query.ts';

const minute = 60_000;
export const unread = load(notifications.unreadCount, {});

/** How many notifications the reader has not read. */
export function useUnread(): number {
  // The stream tells it at once; asking now and then is for when there is none.
  const { data } = useQuery({ ...unread, refetchInterval: minute, staleTime: minute / 2 });
  return data?.data.count ?? 0;
}
