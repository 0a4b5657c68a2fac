import { kpiEvaluations, type Endpoint, type KpiEvaluation, type Reply } from '@tenure/contract';
import { useQueryClient } from '@tanstack/react-query';
import type { ApiError } from '../../../../api/api-error.ts';
import type { Input } from '../../../../api/call.ts';
import { load, useSend } from '../../../../api/query.ts';

/** Takes a step, whose answer is on the screen at once; when it is refused for being late, all is read again. */
export function useStep<E extends Endpoint>(endpoint: E, onDone: () => void) {
  const queries = useQueryClient();
  const send = useSend(endpoint);
  const onSuccess = (reply: Reply<E>) => {
    const evaluation = reply as Reply<typeof kpiEvaluations.get>;
    queries.setQueryData(load(kpiEvaluations.get, { params: { id: evaluation.data.id } }).queryKey, evaluation);
    onDone();
  };
  const onError = ({ refusal }: ApiError) => {
    if (refusal.revision !== undefined) void queries.invalidateQueries({ queryKey: [kpiEvaluations.get.path] });
  };
  return {
    error: send.error,
    isPending: send.isPending,
    submit: (input: Input<E>) => send.mutate(input, { onSuccess, onError }),
  };
}

export type StepProps = { evaluation: KpiEvaluation; onDone: () => void; onClose: () => void };
