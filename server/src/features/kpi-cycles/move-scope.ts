import { sql } from 'kysely';
import type { RawBuilder, SqlBool } from 'kysely';
import type { Actor } from '../../access/actor.ts';
import { othersIn } from '../../access/evaluation-scope.ts';
import { visibleDepartments, visiblePeople } from '../../access/scope.ts';
import { every } from '../../db/lists.ts';
import { companiesFor } from './policy.ts';

/** Conditions on an evaluation `v`, its person `e` and the department `d` where the person is now. */

/**
 * The review is not submitted, the person is in another department now, and HR did not decide yet. A first part ended
 * before.
 */
export const undecided = sql<SqlBool>`(
  v.status in ('self_assessment', 'manager_review') and v.covers_until is null
  and e.department_id <> v.department_id and v.kept_department_id is distinct from e.department_id
  and e.activity_status = 'active' and e.deleted_at is null)`;

/** The actor publishes for both companies, may cancel the evaluation, and sees person and department; never the own. */
export const decidesMoves = (actor: Actor): RawBuilder<SqlBool> =>
  every([
    othersIn(actor, 'kpi-evaluation.force-close'),
    companiesFor(actor, 'kpi-cycle.publish', 'v.entity_id'),
    companiesFor(actor, 'kpi-cycle.publish', 'e.entity_id'),
    visiblePeople(actor),
    visibleDepartments(actor),
  ]);
