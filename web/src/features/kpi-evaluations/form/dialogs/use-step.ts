import { kpiEvaluations, type Endpoint } from '@tenure/contract';
import { useQueryClient } from '@tanstack/react-query';
import type { ApiError } from '../../../../api/api-error.ts';
import type { Input } from '../../../../api/call.ts';
import { useSend } from '../../../../api/query.ts';

/** Takes a step; when the evaluation is another one than on the screen, it is read again. */
export function useStep<E extends Endpoint>(endpoint: E, onDone: () => void) {
  const queries = useQueryClient();
  const send = useSend(endpoint);
  const onError = ({ refusal }: ApiError) => {
    if (refusal.revision !== undefined) void queries.invalidateQueries({ queryKey: [kpiEvaluations.get.path] });
  };
  return {
    error: send.error,
    isPending: send.isPending,
    take: (input: Input<E>) => send.mutate(input, { onSuccess: onDone, onError }),
  };
}
