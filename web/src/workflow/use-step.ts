import type { Endpoint, kpiEvaluations, probationReviews, Reply } from '@tenure/contract';
import { useQueryClient } from '@tanstack/react-query';
import { isOutdated, type ApiError } from '../api/api-error.ts';
import type { Input } from '../api/call.ts';
import { load, useSend } from '../api/query.ts';

/** The endpoint that reads a workflow record. */
type Read = typeof kpiEvaluations.get | typeof probationReviews.get;

/**
 * Takes a step and shows its answer at once. If the step is refused as outdated, the record is read again.
 * @param read the endpoint that reads the record of the answer
 */
export function useStepOf<E extends Endpoint>(read: Read, endpoint: E, onDone: () => void) {
  const queries = useQueryClient();
  const send = useSend(endpoint);
  const onSuccess = (reply: Reply<E>) => {
    const answer = reply as Reply<Read> | undefined;
    // a signature returns only itself, and a deletion has no body
    if (answer && 'employee_id' in answer.data)
      queries.setQueryData(load(read, { params: { id: answer.data.id } }).queryKey, answer);
    onDone();
  };
  const onError = ({ refusal }: ApiError) => {
    if (refusal.revision !== undefined) void queries.invalidateQueries({ queryKey: [read.path] });
  };
  const sent = send.variables?.body as { revision?: number } | undefined;
  return {
    error: send.error,
    isPending: send.isPending,
    /** The record has changed since the step was opened, so the same request cannot succeed. */
    isLate: isOutdated(send.error, sent?.revision),
    submit: (input: Input<E>) => send.mutate(input, { onSuccess, onError }),
  };
}
