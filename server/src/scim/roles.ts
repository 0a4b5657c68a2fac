import { sql } from 'kysely';
import { queueRoleRules } from '../sso/apply-role-rules.ts';
import { reconcileRuleRoles } from '../sso/role-rules.ts';
import type { Call, Connection } from './connection.ts';

/** Roles that follow the groups of a connection. */

/** The most people whose roles change in the provider's own request; a change for more is a job. */
const maxAtOnce = 200;

type RoleContext = Pick<Call, 'db' | 'acting'> & { connection: Pick<Connection, 'id' | 'name'> };

/** Assigns and removes the roles of users whose groups or accounts changed. */
export async function reconcileGroupRoles(
  { db, acting, connection }: RoleContext,
  users: readonly string[],
): Promise<void> {
  if (users.length === 0) return;
  // a user linked to an account at this moment comes before, and is seen, or after, and sees the groups
  await sql`
    select from scim_users where connection_id = ${connection.id} and id = any(${users}::uuid[]) and user_id is null
    order by id for key share`.execute(db);
  const { rows } = await sql<{ user_id: number }>`
    select s.user_id from scim_users s
    where s.connection_id = ${connection.id} and s.user_id is not null and s.id = any(${users}::uuid[])
      and (exists (select from scim_role_rules r where r.connection_id = s.connection_id)
           or exists (select from role_assignments a where a.scim_connection_id = s.connection_id))`.execute(db);
  if (rows.length > maxAtOnce) {
    await queueRoleRules(db, { kind: 'scim_connection', id: connection.id });
    return;
  }
  const { request } = acting;
  await reconcileRuleRoles(
    { db, ...(request && { request }) },
    rows.map(({ user_id }) => user_id),
    `Groups of ${connection.name}`,
  );
}

/** The users in a group. */
export async function usersIn({ db }: Pick<Call, 'db'>, groupId: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select scim_user_id as id from scim_members where group_id = ${groupId} and scim_user_id is not null`.execute(db);
  return rows.map(({ id }) => id);
}
