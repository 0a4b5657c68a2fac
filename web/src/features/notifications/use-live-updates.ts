import { actionableItems, notifications, type StreamEvents } from '@tenure/contract';
import { useQueryClient, type QueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { address } from '../../api/call.ts';
import { unread } from './use-unread.ts';

const minute = 60_000;
const touched: readonly string[] = [notifications.list.path, actionableItems.list.path, actionableItems.counts.path];

/** Refetches the visible lists and sets the unread count of the update. */
function counted(queries: QueryClient, count: number): void {
  queries.setQueryData(unread.queryKey, (old) => ({ message: '', ...old, data: { count } }));
  void queries.invalidateQueries({ predicate: ({ queryKey }) => touched.includes(String(queryKey[0])) });
}

type StreamedNotification = StreamEvents['notification'];
type StreamHandlers = { onNotification: (notification: StreamedNotification) => void; again: () => void };

/** Opens the event stream; returns the function that closes it. */
function listen(queries: QueryClient, { onNotification, again }: StreamHandlers): () => void {
  const stream = new EventSource(address(notifications.stream, {}), { withCredentials: true });
  const on = <K extends keyof StreamEvents>(name: K, hear: (data: StreamEvents[K]) => void) =>
    stream.addEventListener(name, ({ data }: MessageEvent<string>) => hear(JSON.parse(data) as StreamEvents[K]));
  let timer: ReturnType<typeof setTimeout>;
  const later = (wait: number) => {
    stream.close();
    timer = setTimeout(again, wait);
  };
  on('ready', ({ unread: count }) => counted(queries, count));
  on('counts', ({ unread: count }) => counted(queries, count));
  on('notification', (notification) => {
    counted(queries, notification.unread);
    onNotification(notification);
  });
  on('end', ({ reason }) => {
    // A refetch leads to the sign-in page, unless another session exists by now.
    if (reason === 'session') void queries.invalidateQueries({ queryKey: unread.queryKey });
    // With jitter, so that not all clients reconnect at once.
    later(reason === 'replaced' ? 10 * minute : 1_000 + Math.random() * 4_000);
  });
  stream.addEventListener('error', () => {
    // The browser reconnects after a network error, but not after a refusal.
    if (stream.readyState === EventSource.CLOSED) later(minute);
  });
  return () => {
    clearTimeout(timer);
    stream.close();
  };
}

/** Subscribes to the event stream while mounted; returns the latest update to announce. */
export function useLiveUpdates(): StreamedNotification | undefined {
  const queries = useQueryClient();
  const [attempt, setAttempt] = useState(0);
  const [latest, setLatest] = useState<StreamedNotification>();
  useEffect(() => {
    if (!('EventSource' in window)) return undefined;
    return listen(queries, { onNotification: setLatest, again: () => setAttempt(attempt + 1) });
  }, [queries, attempt]);
  return latest;
}
