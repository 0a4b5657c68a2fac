import { evaluationSteps, kpiEvaluations, type KpiEvaluation } from '@tenure/contract';
import { useLocale } from 'use-intl';
import { call } from '../../../api/call.ts';
import { load } from '../../../api/query.ts';
import { useAutosave } from '../../../ui/use-autosave.ts';
import { decimalSignOf } from '../../../ui/numbers.ts';
import { draftOptions } from './draft.ts';

/** The draft of an evaluation as React state. */
export function useDraft(evaluation: KpiEvaluation) {
  const sign = decimalSignOf(useLocale());
  const params = { id: evaluation.id };
  return useAutosave({
    name: `evaluation.${evaluation.id}`,
    row: evaluation,
    plan: () => draftOptions(sign),
    send: async (body) => (await call(evaluationSteps.update, { params, body })).data,
    query: load(kpiEvaluations.get, { params }),
  });
}
