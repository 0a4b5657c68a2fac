import type { KpiEvaluation, ScoreExplanation } from '@tenure/contract';
import { useFormatter, useTranslations } from 'use-intl';
import { usePercent, useResult } from '../../../ui/use-percent.ts';
import type { DraftState } from './draft.ts';

/** Formats scores with two decimals, and percentages with the precision they need. */
export function useFigures() {
  const format = useFormatter();
  const share = usePercent(4);
  return {
    score: (value: number) => format.number(value, { minimumFractionDigits: 2, maximumFractionDigits: 2 }),
    percent: useResult(),
    weight: usePercent(2),
    /** A score that a person gave. */
    given: (value: number) => format.number(value),
    /** A measured value; a percentage as the language writes it. */
    amount: (value: number, unit: string | null) =>
      unit === '%'
        ? share(value)
        : [format.number(value, { maximumFractionDigits: 4 }), unit].filter(Boolean).join(' '),
  };
}

type ExplainFields = Pick<KpiEvaluation, 'explain'>;

/** The relevant score: of the side being written, else the result, else the self-assessment. */
export function mainExplanation(
  { explain }: ExplainFields,
  side: DraftState['base']['side'],
): ScoreExplanation | undefined {
  return side === 'self' ? explain.self : (explain.result ?? explain.self);
}

/** Labels of the sides. */
export function useSideName() {
  const t = useTranslations('kpiEvaluation');
  return ({ side }: Pick<ScoreExplanation, 'side'>) =>
    t(side === 'self' ? 'figureSelf' : side === 'manager' ? 'figureManager' : 'figureFinal');
}
