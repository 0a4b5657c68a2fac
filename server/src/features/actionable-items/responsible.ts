import { sql } from 'kysely';
import type { SqlBool } from 'kysely';
import type { Actor } from '../../access/actor.ts';

// one index look-up for each leaver; `exists` would gather all people with a manager; readers do not learn of a review
// of themselves
/** True for a person `e` whose duties must be handed over. */
export const isResponsible = ({ employee_id: me }: Actor) => sql<SqlBool>`(
  e.id in (select manager_id from departments where manager_id is not null)
  or e.id in (select team_lead_id from departments where team_lead_id is not null)
  or e.id in (select owner_id from kpi_cycles where owner_id is not null and status <> 'closed')
  or (select true from employees r
      where r.reporting_manager_id = e.id and r.activity_status <> 'inactive' and r.deleted_at is null limit 1)
  or (select true from kpi_evaluations v
      where v.reviewer_id = e.id and v.status not in ('completed', 'cancelled') limit 1)
  or e.id in (select reviewer_id from probation_reviews
              where reviewer_id is not null and status in ('pending', 'submitted', 'sent_back')
                and employee_id is distinct from ${me}::bigint))`;
