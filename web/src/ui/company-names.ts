import { entities } from '@tenure/contract';
import { useQueries } from '@tanstack/react-query';
import { load } from '../api/query.ts';

/** The page size of the list. */
const most = 100;

/** The names of companies that are not on the first page of their list, read in one request. */
export function useCompanyNames(ids: readonly number[]): ReadonlyMap<number, string> {
  const parts = Array.from({ length: Math.ceil(ids.length / most) }, (_, part) =>
    ids.slice(part * most, (part + 1) * most),
  );
  const asked = useQueries({
    queries: parts.map((part) => ({
      ...load(entities.list, { query: { id: part.join(','), per_page: most } }),
      retry: false,
    })),
  });
  return new Map(asked.flatMap(({ data }) => (data?.data ?? []).map(({ id, name }) => [id, name] as const)));
}
