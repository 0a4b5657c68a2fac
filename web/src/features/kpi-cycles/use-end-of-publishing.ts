import type { KpiCycle } from '@tenure/contract';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';

export type PublishingState = { processed: number; total: number; isDone: boolean } | undefined;

/** A publish in the background as it goes on, and that it ended while this page was open. */
export function useEndOfPublishing({ publishing }: Pick<KpiCycle, 'publishing'>): PublishingState {
  const queries = useQueryClient();
  const [last, setLast] = useState(publishing);
  if (publishing && (publishing.processed !== last?.processed || publishing.total !== last.total)) setLast(publishing);
  const isDone = last !== null && publishing === null;
  useEffect(() => {
    // What the figures on the page were asked for has grown since.
    if (isDone) void queries.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'session' });
  }, [isDone, queries]);
  return last ? { ...last, isDone } : undefined;
}
