import type { TestApp } from './app.ts';

/** Roles with chosen permissions, and who holds them. */
export function givenRoles({ owner }: Pick<TestApp, 'owner'>) {
  /** A role with these permissions. */
  async function roleWith(name: string, scope: 'own' | 'all', permissions: readonly string[]): Promise<number> {
    const { rows } = await owner.query<{ id: number }>(
      `with made as (insert into roles (name, scope) values ($1, $2) returning id)
       insert into role_permissions (role_id, permission) select id, unnest($3::text[]) from made
       returning role_id::int as id`,
      [name, scope, permissions],
    );
    return (rows[0] as { id: number }).id;
  }

  const give = (userId: number, roleId: number, entityIds: number[] | null = null) =>
    owner.query('insert into role_assignments (user_id, role_id, entity_ids) values ($1, $2, $3)', [
      userId,
      roleId,
      entityIds,
    ]);

  const takeAway = (roleId: number, permission: string) =>
    owner.query('delete from role_permissions where role_id = $1 and permission = $2', [roleId, permission]);

  return { roleWith, give, takeAway };
}
