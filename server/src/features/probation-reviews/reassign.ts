import { sql } from 'kysely';
import { othersIn } from '../../access/review-scope.ts';
import { reassigning } from '../../workflow/reassign.ts';
import { recordMoves } from './history.ts';
import type { Moved } from './history.ts';
import { notifyReviewerChanged } from './notify.ts';
import { isAble } from './reviewers.ts';
import { voidOf } from './signatures.ts';
import { noDraft } from './steps/hr.ts';

export const reassignReviews = reassigning<Moved>({
  table: 'probation_reviews',
  // the review about the actor, who is not to know of it, stays until HR names another reviewer
  isOpen: ({ employee_id }) => sql`v.employee_id is distinct from ${employee_id}::bigint
    and v.status in ('pending', 'submitted', 'sent_back')`,
  inScope: (actor) => othersIn(actor, 'employees.deactivate'),
  isUnsent: sql`v.status <> 'submitted'`,
  columns: sql`v.probation_end_date`,
  isAble: isAble('e'),
  refusals: {
    outOfScope: 'probation reviews outside of your scope',
    ownRecord: 'the probation review of oneself',
    unable: 'probation reviews without the right to submit them',
  },
  noDraft,
  eraseDrafts: async (ctx, ids) => {
    for (const id of ids) await voidOf(ctx, id);
  },
  recordMoves,
  notifyReviewerChanged,
});
