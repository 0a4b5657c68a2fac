import type { Endpoint, Reply } from '@tenure/contract';
import {
  queryOptions,
  useMutation,
  useQueryClient,
  type QueryObserverLoadingErrorResult,
  type UseQueryResult,
} from '@tanstack/react-query';
import { hasStatus, type ApiError } from './api-error.ts';
import { call, type Input } from './call.ts';

/** Query options for reading an endpoint: `useQuery(load(employees.get, { params: { id } }))`. */
export const load = <E extends Endpoint>(endpoint: E, input: Input<E>) =>
  queryOptions<Reply<E>, ApiError>({
    queryKey: [endpoint.path, input],
    queryFn: ({ signal }) => call(endpoint, input, { signal }),
  });

/**
 * Is there nothing to show, only a refusal? What was read before stays on the screen, with all that was entered there,
 * when it cannot be read again; unless it is gone by now, or not for this reader any more.
 */
export const isLost = <T>(query: UseQueryResult<T, ApiError>): query is QueryObserverLoadingErrorResult<T, ApiError> =>
  query.isError && (query.data === undefined || hasStatus(query.error, 403) || hasStatus(query.error, 404));

/**
 * A change through an endpoint. Once it succeeded, everything on the screen is asked again: which records a change
 * touches is the service's knowledge, and a screen holds few queries.
 */
export function useSend<E extends Endpoint>(endpoint: E) {
  const queries = useQueryClient();
  return useMutation<Reply<E>, ApiError, Input<E>>({
    mutationFn: (input) => call(endpoint, input),
    // Not waited for: whoever sent it hears of the success while it is still on the screen.
    onSuccess: () => void queries.invalidateQueries({ predicate: (query) => query.queryKey[0] !== 'session' }),
  });
}
