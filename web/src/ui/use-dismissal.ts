import { useQueryClient } from '@tanstack/react-query';
import { refetchRecords } from '../api/query.ts';
import { cancelDeferred, defer, flush } from './deferred.ts';
import { useToast } from './toasts.tsx';

type Words = { dismissed: string; failed: string };
type Send = (options: { keepalive?: true }) => Promise<unknown>;

/** Removes an entry from lists, given by their paths or all of them, once the time to undo is over. */
export function useDismissal({ dismissed, failed }: Words, ...paths: readonly string[]) {
  const toast = useToast();
  const queries = useQueryClient();
  return (key: string, send: Send) => {
    defer(key, async (options) => {
      try {
        await send(options);
      } catch {
        toast({ text: failed });
      }
      if (paths.length === 0) await refetchRecords(queries);
      else await queries.invalidateQueries({ predicate: ({ queryKey: [path] }) => paths.includes(String(path)) });
    });
    toast({ text: dismissed, undo: () => cancelDeferred(key), onGone: () => void flush(key) });
  };
}
