import type { KpiCycle } from '@tenure/contract';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { refetchRecords } from '../../api/query.ts';

export type PublishingState = (NonNullable<KpiCycle['publishing']> & { isDone: boolean }) | undefined;

/** The progress of background publishing, and its end if it happens on this page. */
export function useEndOfPublishing({ publishing }: Pick<KpiCycle, 'publishing'>): PublishingState {
  const queries = useQueryClient();
  const [last, setLast] = useState(publishing);
  if (publishing && (!last || publishing.processed !== last.processed || publishing.total !== last.total))
    setLast(publishing);
  const isDone = last !== null && publishing === null;
  useEffect(() => {
    // The figures on the page are outdated.
    if (isDone) void refetchRecords(queries);
  }, [isDone, queries]);
  return last ? { ...last, isDone } : undefined;
}
