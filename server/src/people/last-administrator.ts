import { sql } from 'kysely';
import type { Db } from '../db/connect.ts';
import { conflict } from '../http/errors.ts';
import { lastAdmin } from './lifecycle-admin.ts';

type Leaver = { user_id: number | null; is_admin: boolean };

/**
 * Requires that an administrator who can sign in remains. Throws 422 with the state and revision of `row` for the last
 * one.
 */
export async function refuseLastAdministrator(
  db: Db,
  { user_id, is_admin }: Leaver,
  row: { status: string; revision: number },
): Promise<void> {
  if (!is_admin) return;
  await sql`select 1 from installation for update`.execute(db);
  const { rows } = await sql`
    select 1 from role_assignments a
    join roles r on r.id = a.role_id and r.is_system and r.name = 'Admin'
    join users u on u.id = a.user_id and u.is_enabled and u.id <> ${user_id}
    left join employees e on e.user_id = u.id
    where e.id is null or (may_sign_in(e.activity_status, e.early_access, e.deleted_at)
                           and e.employment_lifecycle in ('probationary', 'confirmed'))
    limit 1`.execute(db);
  if (rows.length === 0) throw conflict(lastAdmin, row);
}
