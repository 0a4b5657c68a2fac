import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { ApiError, hasStatus } from './api-error.ts';

const worthAnotherTry = (count: number, error: Error): boolean =>
  count < 2 && error instanceof ApiError && (error.status === 0 || error.status >= 502);

/**
 * The query cache. `onSessionEnd` is called on every 401. `onForbidden` is called on every 403, since permissions may
 * have changed or a new password may be required.
 */
export function createQueryClient(onSessionEnd: () => void, onForbidden: () => void): QueryClient {
  const onError = (error: Error) => {
    if (hasStatus(error, 401)) onSessionEnd();
    if (hasStatus(error, 403)) onForbidden();
  };
  return new QueryClient({
    queryCache: new QueryCache({ onError }),
    mutationCache: new MutationCache({ onError }),
    defaultOptions: { queries: { staleTime: 10_000, retry: worthAnotherTry }, mutations: { networkMode: 'always' } },
  });
}
