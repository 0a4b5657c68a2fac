import { entities } from '@tenure/contract';
import { useQueries } from '@tanstack/react-query';
import { load } from '../api/query.ts';

/** The names of companies that are not on the first page of their list, each read for itself. */
export function useCompanyNames(ids: readonly number[]): ReadonlyMap<number, string> {
  const asked = useQueries({
    queries: ids.map((id) => ({ ...load(entities.get, { params: { id } }), retry: false })),
  });
  return new Map(asked.flatMap(({ data }) => (data ? [[data.data.id, data.data.name]] : [])));
}
