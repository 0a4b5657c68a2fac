import { actionableItems, notifications, type StreamEvents } from '@tenure/contract';
import { useQueryClient, type QueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { address } from '../../api/call.ts';
import { unread } from './use-unread.ts';

const minute = 60_000;
const touched: readonly string[] = [notifications.list.path, actionableItems.list.path, actionableItems.counts.path];

/** Lists of what is on the screen are asked again, and the count is the one that was told. */
function counted(queries: QueryClient, count: number): void {
  queries.setQueryData(unread.queryKey, (old) => ({ message: '', ...old, data: { count } }));
  void queries.invalidateQueries({ predicate: ({ queryKey }) => touched.includes(String(queryKey[0])) });
}

type StreamedNotification = StreamEvents['notification'];
type StreamHandlers = { onNotification: (notification: StreamedNotification) => void; again: () => void };

/** Opens the stream once; gives back how to close it. */
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
    // Asking for anything leads to the sign-in page, unless there is another session by now.
    if (reason === 'session') void queries.invalidateQueries({ queryKey: unread.queryKey });
    // Not all pages at the same moment.
    later(reason === 'replaced' ? 10 * minute : 1_000 + Math.random() * 4_000);
  });
  stream.addEventListener('error', () => {
    // The browser tries again by itself after a broken line, and not after a refusal.
    if (stream.readyState === EventSource.CLOSED) later(minute);
  });
  return () => {
    clearTimeout(timer);
    stream.close();
  };
}

/** Hears of news for as long as the screen is there; the latest is handed out, to be said. */
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
