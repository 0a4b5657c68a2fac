import { evaluationSteps, kpiEvaluations, type BodyIn, type KpiEvaluation } from '@tenure/contract';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState, useSyncExternalStore } from 'react';
import { useLocale } from 'use-intl';
import type { ApiError } from '../../../api/api-error.ts';
import { call } from '../../../api/call.ts';
import { load } from '../../../api/query.ts';
import { useSession } from '../../../api/session.tsx';
import { useDraftKeeper, useKeptDraft } from '../../../ui/drafts.ts';
import { decimalSignOf } from '../../kpi-templates/numbers.ts';
import { createDraft, type Draft, type DraftState, type KeptDraft } from './draft.ts';

/** The draft of an evaluation on the screen: it follows what is read, and saves itself when the page is left. */
export function useDraft(evaluation: KpiEvaluation): { draft: Draft; state: DraftState } {
  const queries = useQueryClient();
  const sign = decimalSignOf(useLocale());
  const { user } = useSession();
  const { id } = evaluation;
  const kept = useKeptDraft<KeptDraft>(`evaluation.${id}`, user?.id);
  const { mutateAsync } = useMutation<KpiEvaluation, ApiError, BodyIn<typeof evaluationSteps.update>>({
    mutationFn: async (body) => (await call(evaluationSteps.update, { params: { id }, body })).data,
    onSuccess: (data) =>
      queries.setQueryData(load(kpiEvaluations.get, { params: { id } }).queryKey, { data, message: '' }),
  });
  const [draft] = useState(() => {
    const reread = async () =>
      (await queries.fetchQuery({ ...load(kpiEvaluations.get, { params: { id } }), staleTime: 0 })).data;
    return createDraft(evaluation, { send: mutateAsync, reread, sign }, kept);
  });
  const state = useSyncExternalStore(draft.subscribe, draft.read);
  useDraftKeeper(`evaluation.${id}`, () =>
    draft.isDirty() ? { base: draft.read().base, values: draft.read().values } : undefined,
  );
  useEffect(() => draft.newer(evaluation), [draft, evaluation]);
  useEffect(() => {
    const flush = () => void draft.flush();
    const leave = () => document.visibilityState === 'hidden' && flush();
    // what came back after the end of a session
    flush();
    window.addEventListener('online', flush);
    document.addEventListener('visibilitychange', leave);
    return () => {
      window.removeEventListener('online', flush);
      document.removeEventListener('visibilitychange', leave);
      draft.stop();
    };
  }, [draft]);
  return { draft, state };
}
