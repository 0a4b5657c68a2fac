import { actionableItems } from '@tenure/contract';
import { useQuery } from '@tanstack/react-query';
import { load } from '../../api/query.ts';

const minute = 60_000;

/** How much waits for the reader, as the service counts it; asked again each minute and when the window comes back. */
export function useWaiting() {
  const { data } = useQuery({ ...load(actionableItems.counts, {}), refetchInterval: minute, staleTime: minute / 2 });
  return data?.data;
}
