import type { Permission } from '@tenure/contract';
import { sql } from 'kysely';
import type { RawBuilder, SqlBool } from 'kysely';
import type { Actor } from '../../access/actor.ts';
import { hrOfEach } from '../../notifications/hr-pool.ts';

type Reader = Pick<Actor, 'user_id' | 'employee_id'>;

/** The people who reviewed the evaluation `v`: its reviewer, and the user who submitted it, perhaps on behalf. */
export const reviewersOf: readonly RawBuilder<unknown>[] = [
  sql`v.reviewer_id`,
  sql`(select h.id from employees h where h.user_id = v.manager_submitted_by)`,
];

/** Evaluations `v` that the reader did not review: `reviewersOf` for a single reader, without checking each author. */
export const notReviewedBy = ({ user_id, employee_id }: Reader): RawBuilder<SqlBool>[] => [
  ...(employee_id === null ? [] : [sql<SqlBool>`v.reviewer_id is distinct from ${employee_id}`]),
  sql`v.manager_submitted_by is distinct from ${user_id}::bigint`,
];

/**
 * The HR pool of each evaluation, as SQL with the columns subject_id and user_id.
 * @param authors the people who do not act for HR here
 */
export const hrOf = (
  permission: Permission,
  ids: readonly number[],
  authors?: readonly RawBuilder<unknown>[],
): RawBuilder<unknown> =>
  hrOfEach(
    permission,
    sql`select id as subject_id, employee_id, entity_id, department_id, reviewer_id, manager_submitted_by
        from kpi_evaluations where id = any(${ids}::bigint[])`,
    authors && { authors },
  );
