import { sql } from 'kysely';
import { othersIn } from '../../access/evaluation-scope.ts';
import { isAble } from '../../people/reviewers.ts';
import { reassigning } from '../../workflow/reassign.ts';
import { recordMoves } from './history.ts';
import type { Moved } from './history.ts';
import { notifyReviewerChanged } from './notify.ts';
import { eraseDrafts, noDraft } from './steps/reviewer.ts';

export const reassignEvaluations = reassigning<Moved>({
  table: 'kpi_evaluations',
  isOpen: () => sql`v.status not in ('completed', 'cancelled')`,
  inScope: (actor) => othersIn(actor, 'employees.deactivate'),
  isUnsent: sql`v.manager_submitted_at is null`,
  columns: sql`(select c.name from kpi_cycles c where c.id = v.cycle_id) as cycle_name`,
  isAble,
  refusals: {
    outOfScope: 'evaluations outside of your scope',
    ownRecord: 'the evaluation of oneself',
    unable: 'evaluations without the right to review',
  },
  noDraft,
  eraseDrafts,
  recordMoves,
  notifyReviewerChanged,
});
