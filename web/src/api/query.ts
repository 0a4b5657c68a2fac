import type { Endpoint, Reply } from '@tenure/contract';
import {
  queryOptions,
  useMutation,
  useQueryClient,
  type QueryClient,
  type QueryObserverLoadingErrorResult,
  type UseQueryResult,
} from '@tanstack/react-query';
import { useMemo } from 'react';
import { hasStatus, type ApiError } from './api-error.ts';
import { call, type CallOptions, type Input } from './call.ts';
import { once } from './once.ts';

/** Query options for reading an endpoint: `useQuery(load(employees.get, { params: { id } }))`. */
export const load = <E extends Endpoint>(endpoint: E, input: Input<E>) =>
  queryOptions<Reply<E>, ApiError>({
    queryKey: [endpoint.path, input],
    queryFn: ({ signal }) => call(endpoint, input, { signal }),
  });

/**
 * Has the query failed without data to show? After a failed refetch the earlier data and the user's input stay on the
 * screen. They disappear if the record is gone or no longer visible.
 */
export const failedWithoutData = <T>(
  query: UseQueryResult<T, ApiError>,
): query is QueryObserverLoadingErrorResult<T, ApiError> =>
  query.isError && (query.data === undefined || hasStatus(query.error, 403) || hasStatus(query.error, 404));

/**
 * Refetches everything but the session: only the service knows which records a change affects, and a screen has few
 * queries.
 */
export const refetchRecords = (queries: QueryClient): Promise<void> =>
  queries.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'session' });

/** A change through an endpoint. On success all records are refetched. */
export function useSend<E extends Endpoint>(endpoint: E, { alone }: Pick<CallOptions, 'alone'> = {}) {
  const queries = useQueryClient();
  const send = useMemo(
    () => once((input: Input<E>) => call(endpoint, input, alone ? { alone } : {})),
    [endpoint, alone],
  );
  return useMutation<Reply<E>, ApiError, Input<E>>({
    mutationFn: send,
    // Not awaited, so that the caller's success handler runs at once.
    onSuccess: () => void refetchRecords(queries),
  });
}
