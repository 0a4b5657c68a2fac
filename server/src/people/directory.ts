import { sql } from 'kysely';
import type { RawBuilder, SqlBool } from 'kysely';
import { every } from '../db/lists.ts';
import { refTo } from '../db/refs.ts';

/**
 * Defines the company directory: who is in it, and what it shows of them. Nothing here takes the reader as an argument,
 * so answers cannot depend on who asks.
 */

/** People who have started, work and have not left. Excludes suspended, former, future and deleted people. */
export const inDirectory = (alias: string): RawBuilder<SqlBool> =>
  every([
    sql<SqlBool>`${sql.ref(`${alias}.activity_status`)} = 'active'`,
    sql<SqlBool>`${sql.ref(`${alias}.deleted_at`)} is null`,
  ]);

/** The order by name, which the index `employees_card_name_idx` provides. */
export const cardOrder = sql`fold(e.name) collate "C", e.id`;

/** The columns of a card. Omits a manager who is not in the directory. */
export const cardColumns = sql`
  e.id, e.name, e.job_title, ${refTo('d')} as department, ${refTo('n')} as entity, e.email, ${refTo('m')} as manager,
  case when e.picture_key is not null then '/api/directory/' || e.id || '/profile-picture' end as profile_picture_url`;

/** The joins of `cardColumns` for people `e`. */
export const cardJoins = sql`
  join departments d on d.id = e.department_id
  join entities n on n.id = e.entity_id
  left join employees m on m.id = e.reporting_manager_id and ${inDirectory('m')}`;
