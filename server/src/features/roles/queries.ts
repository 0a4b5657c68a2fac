import type { QueryOut, Role, RoleRow, roles } from '@tenure/contract';
import { sql } from 'kysely';
import type { RawBuilder, SqlBool } from 'kysely';
import type { Actor } from '../../access/actor.ts';
import { reachOf } from '../../access/actor.ts';
import { visiblePeople } from '../../access/scope.ts';
import type { Db } from '../../db/connect.ts';
import { every, holdsWords, oneOfTexts, orderedBy, selectPage } from '../../db/lists.ts';
import { notFound } from '../../http/errors.ts';

type Stored = Omit<RoleRow, 'allowed_actions'>;
type ListQuery = QueryOut<typeof roles.list>;

const sorts: Record<NonNullable<ListQuery['sort_by']>, RawBuilder<unknown>> = {
  name: sql`fold(r.name) collate "C"`,
  users_count: sql`users_count`,
  created_at: sql`r.created_at`,
};

/** Holders the actor sees: what happens beyond a limited scope shows in no number. */
function countedHolders(actor: Actor): RawBuilder<SqlBool> {
  if (reachOf(actor, 'employees.view', 'employees.view_all').everything) return sql<SqlBool>`true`;
  return sql<SqlBool>`a.user_id in (select e.user_id from employees e where ${visiblePeople(actor)})`;
}

const columns = (actor: Actor) => sql`
  r.id, r.name, r.description, r.scope, r.is_system, r.revision, r.created_at, r.updated_at,
  (select count(*) from role_assignments a where a.role_id = r.id and ${countedHolders(actor)}) as users_count,
  (select count(*) from role_permissions p where p.role_id = r.id) as permissions_count`;

const present = (row: Stored): RoleRow => ({ ...row, allowed_actions: [] });

/** A page of the roles, with how many hold them. */
export async function listRoles(db: Db, actor: Actor, query: ListQuery): Promise<{ rows: RoleRow[]; total: number }> {
  const where = every([
    ...oneOfTexts(sql`r.scope`, query.scope),
    ...(query.is_system === undefined ? [] : [sql<SqlBool>`r.is_system = ${query.is_system}`]),
    ...holdsWords([sql`r.name`, sql`r.description`], query.search),
  ]);
  const order = orderedBy(sorts[query.sort_by ?? 'name'], query.sort_direction, sql`r.id`);
  const { rows, total } = await selectPage<Stored>(db, query, {
    rows: sql`select ${columns(actor)} from roles r where ${where} ${order}`,
    total: sql`select count(*) from roles r where ${where}`,
  });
  return { rows: rows.map(present), total };
}

/**
 * A role with the names of its permissions.
 * @throws 404 when there is none of this id
 */
export async function readRole(db: Db, actor: Actor, id: number): Promise<Role> {
  const { rows } = await sql<Stored & Pick<Role, 'permissions'>>`
    select ${columns(actor)},
           array(select p.permission from role_permissions p where p.role_id = r.id order by p.permission) as permissions
    from roles r where r.id = ${id}`.execute(db);
  const [found] = rows;
  if (!found) throw notFound();
  return { ...present(found), permissions: found.permissions };
}
