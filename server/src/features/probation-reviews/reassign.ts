import { text } from '@tenure/contract';
import { sql } from 'kysely';
import type { SqlBool } from 'kysely';
import { othersIn, reviewsIn } from '../../access/review-scope.ts';
import type { Duty } from '../../people/dependents.ts';
import { reassigning } from '../../workflow/reassign.ts';
import { recordMoves } from './history.ts';
import type { Moved } from './history.ts';
import { notifyReviewerChanged } from './notify.ts';
import { mayReviewProbations } from './reviewers.ts';
import { voidOf } from './signatures.ts';
import { noDraft } from './steps/hr.ts';
import { openReviewStates } from '../../workflow/open.ts';

const reassignReviews = reassigning<Moved>({
  table: 'probation_reviews',
  // the actor must not know of a review about themselves: it stays until HR names another reviewer
  isOpen: ({ employee_id }) => sql`v.employee_id is distinct from ${employee_id}::bigint
    and v.status in ${openReviewStates}`,
  inScope: (actor) => othersIn(actor, 'employees.deactivate'),
  isUnsent: sql`v.status <> 'submitted'`,
  columns: sql<{ probation_end_date: string }>`v.probation_end_date`,
  isAble: mayReviewProbations('e'),
  refusals: {
    outOfScope: text('responsibilities.reviews_outside_scope'),
    ownRecord: text('responsibilities.own_review'),
    unable: text('responsibilities.reviews_without_right'),
    below: text('responsibilities.reviews_of_superior'),
  },
  noDraft,
  eraseDrafts: async (ctx, ids) => {
    for (const id of ids) await voidOf(ctx, id);
  },
  recordMoves,
  notifyReviewerChanged,
});

/** Records of one reviewer. */
export const reviewsDuty: Duty = {
  listed: (actor, id) => [
    {
      kind: 'probation_review',
      from: sql`probation_reviews v join employees p on p.id = v.employee_id`,
      id: sql`v.id`,
      name: sql`p.name`,
      status: sql`v.status`,
      entity: sql`v.entity_id`,
      isSeen: reviewsIn(actor, 'probation-review.view'),
      where: sql<SqlBool>`v.reviewer_id = ${id} and v.status in ${openReviewStates}
        and ${othersIn(actor, 'employees.deactivate')}`,
    },
  ],
  reassign: (ctx, { from, to, only }) => reassignReviews(ctx, { from: from.id, to: to.id, only: only?.reviews }),
};
