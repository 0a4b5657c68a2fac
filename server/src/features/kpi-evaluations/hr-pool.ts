import type { Permission } from '@tenure/contract';
import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import { hrOfEach } from '../../notifications/hr-pool.ts';

/** The pool of HR of each evaluation, as SQL with the columns evaluation_id and user_id. */
export const hrOf = (permission: Permission, ids: readonly number[]): RawBuilder<unknown> => sql`
  select h.subject_id as evaluation_id, h.user_id from (${hrOfEach(
    permission,
    sql`select id as subject_id, employee_id, entity_id, department_id from kpi_evaluations
        where id = any(${ids}::bigint[])`,
  )}) as h`;
