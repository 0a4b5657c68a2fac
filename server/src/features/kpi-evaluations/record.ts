import type { CycleBands } from '@tenure/contract';
import type { Selectable } from 'kysely';
import type { KpiEvaluations } from '../../db/schema.ts';
import type { WorkflowNames } from '../../workflow/row.ts';
import type { EvaluationFacts } from './capacities.ts';

type Texts =
  | 'self_comment'
  | 'manager_comment'
  | 'strengths'
  | 'improvements'
  | 'hr_comment'
  | 'skip_reason'
  | 'return_reason'
  | 'reopen_reason'
  | 'close_reason'
  | 'cancel_reason'
  | 'dispute_reason'
  | 'dispute_resolution';

/** The fields that only the evaluation itself shows. */
type Details =
  | 'answer_from'
  | 'cancelled_at'
  | 'closed_by'
  | 'closed_by_name'
  | 'dispute_resolved_at'
  | 'dispute_resolved_by'
  | 'dispute_resolved_by_name'
  | 'dispute_result'
  | 'extension_decided_at'
  | 'extension_decided_by'
  | 'extension_decided_by_name'
  | 'extension_note'
  | 'extension_reason'
  | 'extension_requested_at'
  | 'extension_until'
  | 'cycle_days'
  | 'talked_on'
  | 'answer_recorded_by'
  | 'answer_recorded_by_name'
  | 'former_draft'
  | 'kept_department_id'
  | 'moved_since'
  | 'covers_from'
  | 'covers_until'
  | 'reviewer_missing_since'
  | 'person_sort'
  | 'met_is_top'
  | 'scale_words';

type Stored = Omit<Selectable<KpiEvaluations>, keyof EvaluationFacts>;

/** An evaluation as lists read it, with the names of its references and everything that the rules need. */
export type ListedEvaluation = EvaluationFacts &
  WorkflowNames &
  Omit<Stored, Texts | Details> & { band_name: string | null; part_from: string; part_until: string };

/** The settings of its cycle that the figures depend on. */
type Settings = {
  manager_weight_pct: number;
  self_weight_pct: number;
  pip_below_pct: number;
  hipo_from_pct: number;
  bands: CycleBands;
};

/** An evaluation in full, as stored. */
export type StoredEvaluation = ListedEvaluation & Settings & Stored;
