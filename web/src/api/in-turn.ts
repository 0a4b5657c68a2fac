import type { Endpoint, Reply } from '@tenure/contract';
import { useMutation, useQueryClient, type Query } from '@tanstack/react-query';
import { useState } from 'react';
import { ApiError } from './api-error.ts';
import { call, type Input } from './call.ts';

const isRead = ({ queryKey }: Query) => queryKey[0] !== 'session';

/**
 * Changes through an endpoint that are sent one after the other. Each is made when its turn comes, of what the one
 * before left: `adopt` takes its answer over, and after a refusal everything is read again first.
 */
export function useSendInTurn<E extends Endpoint>(endpoint: E, adopt: (reply: Reply<E>) => void) {
  const queries = useQueryClient();
  const [refused, setRefused] = useState<{ about: string; error: ApiError }>();
  const { mutateAsync } = useMutation<Reply<E>, ApiError, () => Input<E>>({
    scope: { id: endpoint.path },
    mutationFn: (input) => call(endpoint, input()),
    onSuccess: (reply) => {
      adopt(reply);
      void queries.invalidateQueries({ predicate: isRead });
    },
    onError: () => queries.invalidateQueries({ predicate: isRead }),
  });
  return {
    /** What was refused since somebody last sent anything, and why. */
    refusedAbout: (about: string) => (refused?.about === about ? refused.error : undefined),
    /** True once it is kept; what is refused is told to whoever asks for it by the name of what it is about. */
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
