import { actionableItems } from '@tenure/contract';
import { useQuery } from '@tanstack/react-query';
import { load } from '../../api/query.ts';

const minute = 60_000;

/** The number of tasks, refetched every minute and when the window regains focus. */
export function useTaskCounts() {
  const { data } = useQuery({ ...load(actionableItems.counts, {}), refetchInterval: minute, staleTime: minute / 2 });
  return data?.data;
}
