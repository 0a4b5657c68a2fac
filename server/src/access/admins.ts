import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';

/** True for administrators' accounts. Reads their list once per statement; `holds_admin` would run for each row. */
export const isAdminAccount = (account: RawBuilder<unknown>): RawBuilder<boolean> => sql<boolean>`
  coalesce(${account} = any(array(
    select a.user_id from role_assignments a join roles r on r.id = a.role_id
    where r.is_system and r.name = 'Admin')), false)`;
