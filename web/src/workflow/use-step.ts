import type { Endpoint, kpiEvaluations, probationReviews, Reply } from '@tenure/contract';
import { useQueryClient } from '@tanstack/react-query';
import { isOutdated, type ApiError } from '../api/api-error.ts';
import type { Input } from '../api/call.ts';
import { load, useSend } from '../api/query.ts';

/** How a record of a workflow is read. */
type Read = typeof kpiEvaluations.get | typeof probationReviews.get;

/**
 * Takes a step, whose answer is on the screen at once; when it is refused for being late, the record is read again.
 * @param read how the record is read that the step answers with
 */
export function useStepOf<E extends Endpoint>(read: Read, endpoint: E, onDone: () => void) {
  const queries = useQueryClient();
  const send = useSend(endpoint);
  const onSuccess = (reply: Reply<E>) => {
    const answer = reply as Reply<Read> | undefined;
    // a signature answers itself, and what is removed nothing
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
    /** The record is no longer as it was when the step was begun: the same can not be sent again. */
    isLate: isOutdated(send.error, sent?.revision),
    submit: (input: Input<E>) => send.mutate(input, { onSuccess, onError }),
  };
}
