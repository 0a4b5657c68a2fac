import type { Permission } from '@tenure/contract';
import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import { hrOfEach } from '../../notifications/hr-pool.ts';

/** Who did the review of the evaluation `v`: its reviewer, and who handed it in, perhaps on behalf. */
export const reviewersOf: readonly RawBuilder<unknown>[] = [
  sql`v.reviewer_id`,
  sql`(select h.id from employees h where h.user_id = v.manager_submitted_by)`,
];

/**
 * The pool of HR of each evaluation, as SQL with the columns evaluation_id and user_id.
 * @param authors who does not act for HR here
 */
export const hrOf = (
  permission: Permission,
  ids: readonly number[],
  authors?: readonly RawBuilder<unknown>[],
): RawBuilder<unknown> => sql`
  select h.subject_id as evaluation_id, h.user_id from (${hrOfEach(
    permission,
    sql`select id as subject_id, employee_id, entity_id, department_id, reviewer_id, manager_submitted_by
        from kpi_evaluations where id = any(${ids}::bigint[])`,
    authors && { authors },
  )}) as h`;
