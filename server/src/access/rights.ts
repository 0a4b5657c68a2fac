import type { Permission } from '@tenure/contract';
import { sql } from 'kysely';
import type { Db } from '../db/connect.ts';
import { permissionsOf } from './actor.ts';
import type { Grant, Holder, Rights } from './actor.ts';
import { departmentsOfAssignment } from './in-departments.ts';
import { loadManagersBelow } from './managers-below.ts';
import { loadViewRights } from './role-view.ts';
import { signInRequirements } from './second-factors.ts';
import type { LiveSession } from './sessions.ts';

const maxKept = 10_000;

/**
 * Cached rights by user, or by user and view as a role, valid while their version equals that of the session query. A
 * change of rights raises the version in its transaction, so that every node sees it at the next request.
 */
export type RightsCache = Map<number | string, { version: string; rights: Rights }>;

async function loadGrants(db: Db, userId: number): Promise<Grant[]> {
  const { rows } = await sql<Omit<Grant, 'permissions'> & { permissions: Permission[] }>`
    select r.id as role_id, r.name as role, r.scope, r.managed_depth, a.entity_ids,
           ${departmentsOfAssignment} as in_departments,
           coalesce((select array_agg(p.permission) from role_permissions p where p.role_id = r.id), '{}') as permissions
    from role_assignments a join roles r on r.id = a.role_id
    where a.user_id = ${userId}
    order by r.name`.execute(db);
  return rows.map((row) => ({ ...row, permissions: new Set(row.permissions) }));
}

type Position = Pick<Rights, 'managed_departments' | 'managers_below' | 'superiors'>;

/** Reads a person's position: the records below and the superiors. */
async function loadPosition(db: Db, userId: number, grants: readonly Grant[]): Promise<Position> {
  const { rows } = await sql<Omit<Position, 'managers_below'>>`
    with recursive me as (select id from employees where user_id = ${userId}),
    managed as (
      select d.id from departments d where d.manager_id = (select id from me)
      union
      select child.id from departments child join managed on child.parent_id = managed.id
    )
    select array(
      select id from managed
      union
      select d.id from departments d where d.team_lead_id = (select id from me)
      order by id) as managed_departments,
      array(select s from me, superiors_of(me.id) as s order by s) as superiors`.execute(db);
  return { ...(rows[0] as (typeof rows)[0]), managers_below: await loadManagersBelow(db, userId, grants) };
}

/** Reads the current rights of a user from the database. */
export async function loadRights(db: Db, userId: number): Promise<Rights> {
  const grants = await loadGrants(db, userId);
  const { sso_required: _policy, ...second_factor } = await signInRequirements(db, userId);
  return {
    second_factor,
    grants,
    roles: grants.map((grant) => grant.role),
    permissions: permissionsOf(grants),
    is_admin: grants.some((grant) => grant.role === 'Admin'),
    ...(await loadPosition(db, userId, grants)),
  };
}

/** The rights of people without an account. */
export const noRights: Rights = {
  grants: [],
  roles: [],
  permissions: new Set(),
  is_admin: false,
  managed_departments: [],
  managers_below: [],
  superiors: [],
};

/** Reads an account with its current rights; undefined when it cannot sign in. */
export async function loadHolder(db: Db, userId: number): Promise<Holder | undefined> {
  const { rows } = await sql<Pick<Holder, 'user_id' | 'employee_id'>>`
    select u.id as user_id, e.id as employee_id from users u left join employees e on e.user_id = u.id
    where u.id = ${userId} and u.is_enabled
      and (e.id is null or may_sign_in(e.activity_status, e.early_access, e.deleted_at))`.execute(db);
  return rows[0] && { ...rows[0], ...(await loadRights(db, userId)) };
}

/** The cached rights if the version is equal, otherwise those that `load` reads. */
export async function keepRights(
  cache: RightsCache,
  key: number | string,
  version: string,
  load: () => Promise<Rights>,
) {
  const known = cache.get(key);
  if (known?.version === version) return known.rights;
  const rights = await load();
  if (cache.size >= maxKept) cache.clear();
  cache.set(key, { version, rights });
  return rights;
}

/** The rights of a user at `version`: cached when the version is equal, otherwise read from the database. */
export const rightsOf = (cache: RightsCache, db: Db, userId: number, version: string): Promise<Rights> =>
  keepRights(cache, userId, version, () => loadRights(db, userId));

/** The rights of a session: those of its user, or those of the role that it views as, at the user's position. */
export async function rightsOfSession(cache: RightsCache, db: Db, live: LiveSession): Promise<Rights> {
  const { user_id, version, viewed_role_id: role_id, viewed_entity_ids: entity_ids } = live;
  const own = await rightsOf(cache, db, user_id, version);
  if (role_id === null) return own;
  const key = `${user_id} as ${role_id} in ${entity_ids?.join() ?? 'all'}`;
  return keepRights(cache, key, version, () => loadViewRights(db, own, { user_id, role_id, entity_ids }));
}
