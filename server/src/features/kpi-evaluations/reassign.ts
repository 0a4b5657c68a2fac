import { text } from '@tenure/contract';
import { sql } from 'kysely';
import type { SqlBool } from 'kysely';
import { evaluationsIn, othersIn } from '../../access/evaluation-scope.ts';
import { mayReviewEvaluations } from '../../people/reviewers.ts';
import type { Duty } from '../../people/dependents.ts';
import { reassigning } from '../../workflow/reassign.ts';
import { recordMoves } from './history.ts';
import type { Moved } from './history.ts';
import { notifyReviewerChanged } from './notify.ts';
import { eraseDrafts, noDraft } from './steps/reviewer.ts';
import { endedEvaluations } from '../../workflow/open.ts';

const reassignEvaluations = reassigning<Moved>({
  table: 'kpi_evaluations',
  isOpen: () => sql`v.status not in ${endedEvaluations}`,
  inScope: (actor) => othersIn(actor, 'employees.deactivate'),
  isUnsent: sql`v.manager_submitted_at is null`,
  columns: sql<{ cycle_name: string }>`(select c.name from kpi_cycles c where c.id = v.cycle_id) as cycle_name`,
  isAble: mayReviewEvaluations,
  refusals: {
    outOfScope: text('responsibilities.evaluations_outside_scope'),
    ownRecord: text('responsibilities.own_evaluation'),
    unable: text('responsibilities.evaluations_without_right'),
    below: text('responsibilities.evaluations_of_superior'),
  },
  noDraft,
  eraseDrafts,
  recordMoves,
  notifyReviewerChanged,
});

/** Records of one reviewer. */
export const evaluationsDuty: Duty = {
  listed: (actor, id) => [
    {
      kind: 'evaluation',
      from: sql`kpi_evaluations v join employees p on p.id = v.employee_id join kpi_cycles c on c.id = v.cycle_id`,
      id: sql`v.id`,
      name: sql`p.name`,
      detail: sql`c.name`,
      status: sql`v.status`,
      entity: sql`v.entity_id`,
      isSeen: evaluationsIn(actor, 'kpi-evaluation.view'),
      where: sql<SqlBool>`v.reviewer_id = ${id} and v.status not in ${endedEvaluations}
        and ${othersIn(actor, 'employees.deactivate')}`,
    },
  ],
  reassign: (ctx, { from, to, only }) =>
    reassignEvaluations(ctx, { from: from.id, to: to.id, only: only?.evaluations }),
};
