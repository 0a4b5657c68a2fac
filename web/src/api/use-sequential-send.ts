import type { Endpoint, Reply } from '@tenure/contract';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ApiError } from './api-error.ts';
import { call, type Input } from './call.ts';
import { refetchRecords } from './query.ts';

/**
 * Sends changes through an endpoint one after the other. The input of each is built when its turn comes, from the
 * result of the one before, which `adopt` receives. After a refusal, all queries are read again first.
 */
export function useSequentialSend<E extends Endpoint>(endpoint: E, adopt: (reply: Reply<E>) => void) {
  const queries = useQueryClient();
  const [refused, setRefused] = useState<{ about: string; error: ApiError }>();
  const { mutateAsync } = useMutation<Reply<E>, ApiError, () => Input<E>>({
    scope: { id: endpoint.path },
    mutationFn: (input) => call(endpoint, input()),
    onSuccess: (reply) => {
      adopt(reply);
      void refetchRecords(queries);
    },
    onError: () => refetchRecords(queries),
  });
  return {
    /** The latest refusal, if it belongs to `about`. */
    errorOf: (about: string) => (refused?.about === about ? refused.error : undefined),
    /** True if the change was saved. A refusal is available from `errorOf` under the same name. */
    send: async (about: string, input: () => Input<E>): Promise<boolean> => {
      setRefused(undefined);
      try {
        await mutateAsync(input);
        return true;
      } catch (error) {
        if (!(error instanceof ApiError)) throw error;
        setRefused({ about, error });
        return false;
      }
    },
  };
}
