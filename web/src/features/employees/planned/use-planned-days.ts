import { plannedChanges } from '@tenure/contract';
import { useQuery } from '@tanstack/react-query';
import { load } from '../../../api/query.ts';

/** The first day of a planned change of each of these people; people without one are not in it. */
export function usePlannedDays(ids: readonly number[], isWanted: boolean): ReadonlyMap<number, string> {
  const query = { status: ['scheduled' as const], employee_id: [...ids], per_page: 100 };
  const { data } = useQuery({ ...load(plannedChanges.list, { query }), enabled: isWanted && ids.length > 0 });
  // reversed, so that the earliest day of a person wins
  return new Map(data?.data.toReversed().map(({ employee_id, effective_from }) => [employee_id, effective_from]));
}
