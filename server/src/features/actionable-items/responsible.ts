import { sql } from 'kysely';
import type { SqlBool } from 'kysely';
import { reachOf } from '../../access/actor.ts';
import type { Actor } from '../../access/actor.ts';
import { othersIn as evaluationsOfOthers } from '../../access/evaluation-scope.ts';
import { othersIn as reviewsOfOthers } from '../../access/review-scope.ts';
import { departmentsIn, entitiesIn, peopleFor } from '../../access/scope.ts';
import { endedEvaluations, openReviewStates } from '../../workflow/open.ts';

const permission = 'employees.deactivate';

// one index look-up for each leaver, because `exists` would collect all people with a manager; readers do not learn of
// a review about themselves
/** True for a person `e` with duties that the actor can reassign. */
export const isResponsible = (actor: Actor) => {
  const departments = departmentsIn(actor, reachOf(actor, permission));
  return sql<SqlBool>`(
  e.id in (select d.manager_id from departments d where d.manager_id is not null and ${departments})
  or e.id in (select d.team_lead_id from departments d where d.team_lead_id is not null and ${departments})
  or e.id in (select c.owner_id from kpi_cycles c where c.owner_id is not null and c.status <> 'closed'
              and ${entitiesIn(reachOf(actor, permission), 'c.entity_id')})
  or (select true from employees r
      where r.reporting_manager_id = e.id and r.activity_status <> 'inactive' and r.deleted_at is null
        and ${peopleFor(actor, permission, 'r')} limit 1)
  or (select true from kpi_evaluations v
      where v.reviewer_id = e.id and v.status not in ${endedEvaluations}
        and ${evaluationsOfOthers(actor, permission)} limit 1)
  or e.id in (select v.reviewer_id from probation_reviews v
              where v.reviewer_id is not null and v.status in ${openReviewStates}
                and ${reviewsOfOthers(actor, permission)}))`;
};
