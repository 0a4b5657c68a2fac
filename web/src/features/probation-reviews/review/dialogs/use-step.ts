import { probationReviews, type Endpoint, type ProbationReview, type Reply } from '@tenure/contract';
import { useQueryClient } from '@tanstack/react-query';
import { isOutdated, type ApiError } from '../../../../api/api-error.ts';
import type { Input } from '../../../../api/call.ts';
import { load, useSend } from '../../../../api/query.ts';
import type { Words } from './use-words.ts';

type Answer = { data: ProbationReview; message: string } | undefined;

/** Takes a step, whose answer is on the screen at once; when it is refused for being late, the review is read again. */
export function useStep<E extends Endpoint>(endpoint: E, onDone: () => void) {
  const queries = useQueryClient();
  const send = useSend(endpoint);
  const onSuccess = (reply: Reply<E>) => {
    const answer = reply as Answer;
    // a signature answers itself, and what is removed nothing
    if (answer && 'employee_id' in answer.data)
      queries.setQueryData(load(probationReviews.get, { params: { id: answer.data.id } }).queryKey, answer);
    onDone();
  };
  const onError = ({ refusal }: ApiError) => {
    if (refusal.revision !== undefined) void queries.invalidateQueries({ queryKey: [probationReviews.get.path] });
  };
  const sent = send.variables?.body as { revision?: number } | undefined;
  return {
    error: send.error,
    isPending: send.isPending,
    /** The review is no longer as it was when the step was begun: the same can not be sent again. */
    isLate: isOutdated(send.error, sent?.revision),
    submit: (input: Input<E>) => send.mutate(input, { onSuccess, onError }),
  };
}

export type Step = ReturnType<typeof useStep>;

export type StepProps = { review: ProbationReview; words: Words; onDone: () => void; onClose: () => void };
