import { reports } from '@tenure/contract';
import { useQuery } from '@tanstack/react-query';
import { load } from '../../api/query.ts';
import { useSession } from '../../api/session.tsx';
import type { HomeSearch } from './search.ts';

export type Year = { headcount?: number[]; joiners?: number[]; leavers?: number[] };

/** The last twelve months, oldest first, for users who may read reports; empty until they are known. */
export function useYear({ entity_id }: HomeSearch): Year {
  const { can } = useSession();
  const query = { ...(entity_id !== undefined && { entity_id }) };
  const months = useQuery({ ...load(reports.movement, { query }), enabled: can('dashboard.view_all') }).data?.data
    .months;
  if (!months) return {};
  const of = (name: 'headcount' | 'joiners' | 'leavers') => months.slice(-12).map((month) => month[name]);
  return { headcount: of('headcount'), joiners: of('joiners'), leavers: of('leavers') };
}
