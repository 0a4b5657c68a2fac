import { sql } from 'kysely';
import type { RawBuilder, SqlBool } from 'kysely';
import type { Actor } from '../../access/actor.ts';
import { othersIn } from '../../access/evaluation-scope.ts';
import { visibleDepartments, visiblePeople } from '../../access/scope.ts';
import { every } from '../../db/lists.ts';
import { companiesFor } from './policy.ts';

/** Conditions on an evaluation `v`, its person `e` and the department `d` where the person is now. */

/**
 * The review is not submitted, the person is now in another department, and HR has not decided yet. A first part has
 * already ended.
 */
export const undecided = sql<SqlBool>`(
  v.status in ('self_assessment', 'manager_review') and v.covers_until is null
  and e.department_id <> v.department_id and v.kept_department_id is distinct from e.department_id
  and e.activity_status = 'active' and e.deleted_at is null)`;

/**
 * The actor publishes for both companies, can cancel this evaluation of another person, and sees person and department.
 */
export const decidesMoves = (actor: Actor): RawBuilder<SqlBool> =>
  every([
    othersIn(actor, 'kpi-evaluation.force-close'),
    companiesFor(actor, 'kpi-cycle.publish', 'v.entity_id'),
    companiesFor(actor, 'kpi-cycle.publish', 'e.entity_id'),
    visiblePeople(actor),
    visibleDepartments(actor),
  ]);
