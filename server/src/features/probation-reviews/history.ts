import type { ProbationStatus } from '@tenure/contract';
import { historyOf } from '../../workflow/history.ts';
import type { Moved as WorkflowMoved } from '../../workflow/history.ts';

/** One review that made a transition. */
export type Moved = WorkflowMoved<ProbationStatus> & { probation_end_date: string };

/** The name of a review in the audit log. */
export const labelOf = ({ person_name, probation_end_date }: Pick<Moved, 'person_name' | 'probation_end_date'>) =>
  `${person_name}, probation until ${probation_end_date}`;

export const { recordMoves, listActivity } = historyOf<Moved>({
  table: 'probation_review_activity',
  record: 'review_id',
  noun: 'probation_review',
  labelOf,
});
