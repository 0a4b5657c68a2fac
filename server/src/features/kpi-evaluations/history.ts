import type { EvaluationStatus } from '@tenure/contract';
import { historyOf } from '../../workflow/history.ts';
import type { Moved as WorkflowMoved } from '../../workflow/history.ts';

/** A given-up result, as the history stores it. */
export type Snapshot = {
  self_overall_score: number | null;
  overall_score: number | null;
  overall_percentage: number | null;
  suggested_flag: string | null;
  performance_flag: string | null;
  items: {
    id: number;
    name: string;
    final_score: number | null;
    manager_score: number | null;
    /** For a measured item, once the review was submitted. */
    actual_value?: number | null;
    achievement_pct?: number | null;
  }[];
};

/** One evaluation that made a transition. */
export type Moved = WorkflowMoved<EvaluationStatus> & { cycle_name: string };

export const { recordMoves, listActivity } = historyOf<Moved>({
  table: 'kpi_evaluation_activity',
  record: 'evaluation_id',
  noun: 'kpi_evaluation',
  labelOf: ({ person_name, cycle_name }) => `${person_name}, ${cycle_name}`,
});
