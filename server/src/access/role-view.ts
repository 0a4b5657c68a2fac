import type { Endpoint, Permission, RoleView } from '@tenure/contract';
import { text } from '@tenure/contract';
import { sql } from 'kysely';
import type { Db } from '../db/connect.ts';
import { forbiddenBecause } from '../http/errors.ts';
import type { HttpError } from '../http/errors.ts';
import { roleName } from '../languages/role-name.ts';
import { holds, permissionsOf } from './actor.ts';
import type { Account, Actor, Grant, Rights } from './actor.ts';
import { everyRight, reachesLimits } from './cover.ts';
import { loadManagersBelow } from './managers-below.ts';

/**
 * A session of an administrator that views the application as a role. Its rights are those of the role, at the
 * administrator's own position, and it only reads: docs/decisions/0041-viewing-as-a-role.md.
 */

export const viewMinutes = 30;

export const isAdminRole = ({ name, is_system }: { name: string; is_system: boolean }) => is_system && name === 'Admin';

/** True when viewing as the role shows the holder of `own` nothing that they could not see anyway. */
export const coversRole = (own: Rights, role: Pick<Grant, 'scope' | 'permissions' | 'entity_ids'>): boolean =>
  own.is_admin &&
  holds(own, 'rbac.manage') &&
  everyRight(own, role, ({ reach, scope }) =>
    scope === 'own' ? reach.everything || reach.own : reachesLimits(reach, role),
  );

type StoredRole = Pick<Grant, 'role_id' | 'role' | 'scope' | 'managed_depth'> & {
  is_system: boolean;
  permissions: Permission[];
};

async function loadRole(db: Db, id: number): Promise<StoredRole | undefined> {
  const { rows } = await sql<StoredRole>`
    select r.id as role_id, r.name as role, r.scope, r.managed_depth, r.is_system,
           array(select p.permission from role_permissions p where p.role_id = r.id) as permissions
    from roles r where r.id = ${id}`.execute(db);
  return rows[0];
}

/** The rights of a view; `own` unchanged for a role that is gone or has more rights than its viewer. */
export async function loadViewRights(
  db: Db,
  own: Rights,
  viewed: { user_id: number; role_id: number; entity_ids: number[] | null },
): Promise<Rights> {
  const found = await loadRole(db, viewed.role_id);
  if (!found || isAdminRole({ name: found.role, is_system: found.is_system })) return own;
  const { is_system: _kind, ...role } = found;
  const grant: Grant = { ...role, entity_ids: viewed.entity_ids, permissions: new Set(role.permissions) };
  if (!coversRole(own, grant)) return own;
  return {
    ...own,
    grants: [grant],
    roles: [grant.role],
    permissions: permissionsOf([grant]),
    is_admin: false,
    managers_below: await loadManagersBelow(db, viewed.user_id, [grant]),
    viewed_as: grant,
  };
}

/** The view of an actor; null for those who act with their own rights. */
export const viewOf = ({ viewed_as, viewing_until }: Rights & Pick<Account, 'viewing_until'>): RoleView | null => {
  if (!viewed_as || !viewing_until) return null;
  const { role_id, role, entity_ids } = viewed_as;
  return { role_id, role, entity_ids, until: viewing_until };
};

/** The changes that are allowed while viewing: they end the view. */
const endings = new Set(['DELETE /role-view', 'POST /logout']);
const pictures = new Set(['png', 'webp']);
const isDownload = ({ file }: Endpoint) => file?.some((kind) => !pictures.has(kind)) ?? false;

/** The refusal, while viewing, of what changes something or leaves a trace: changes and downloads. */
export function refusalInView({ viewed_as }: Rights, endpoint: Endpoint): HttpError | undefined {
  if (!viewed_as) return undefined;
  const role = roleName(viewed_as.role);
  if (endpoint.method !== 'GET')
    return endings.has(`${endpoint.method} ${endpoint.path}`)
      ? undefined
      : forbiddenBecause(text('roles.view_no_changes', { role }));
  return isDownload(endpoint) ? forbiddenBecause(text('roles.view_no_downloads', { role })) : undefined;
}

/** Refuses with 403 to disclose private details while viewing: each disclosure would be recorded as the actor's own. */
export function refusePrivateInView({ viewed_as }: Pick<Actor, 'viewed_as'>): void {
  if (viewed_as) throw forbiddenBecause(text('roles.view_no_private', { role: roleName(viewed_as.role) }));
}

/** Begins the view of a session. */
export async function startView(db: Db, sessionId: number, view: Pick<RoleView, 'role_id' | 'entity_ids'>) {
  const { rows } = await sql<{ until: string }>`
    update session_register
    set viewed_role_id = ${view.role_id}, viewed_entity_ids = ${view.entity_ids}::bigint[],
        viewing_until = now() + make_interval(mins => ${viewMinutes})
    where id = ${sessionId} returning viewing_until as until`.execute(db);
  return (rows[0] as { until: string }).until;
}

/** Ends the view of a session. */
export const endView = (db: Db, sessionId: number) =>
  db
    .updateTable('session_register')
    .set({ viewed_role_id: null, viewed_entity_ids: null, viewing_until: null })
    .where('id', '=', sessionId)
    .execute();
