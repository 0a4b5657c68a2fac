import { adminOnlyPermissions, permissionNames, text } from '@tenure/contract';
import type { Permission, Text } from '@tenure/contract';
import { holds } from '../../access/actor.ts';
import type { Actor } from '../../access/actor.ts';
import { isAdminRole } from '../../access/role-view.ts';
import { forbidden } from '../../http/errors.ts';

type Known = { name: string; is_system: boolean };

/** The actor's current actions on a role; one that accounts hold or rules give cannot be deleted. */
export function can(actor: Actor): (role: Known & { is_held: boolean }) => string[] {
  const may = holds(actor, 'rbac.manage') && actor.is_admin;
  return (role) =>
    may && !isAdminRole(role) ? ['update', 'permissions', ...(role.is_system || role.is_held ? [] : ['delete'])] : [];
}

/**
 * Changing the permissions of roles could give any right to any user, so only Admin allows it, whatever the database
 * contains.
 */
export function requireAdmin({ actor }: { actor: Actor }): void {
  if (!actor.is_admin) throw forbidden();
}

const viewOf = (permission: Permission): Permission | undefined => {
  const view = `${permission.slice(0, permission.indexOf('.'))}.view` as Permission;
  return view !== permission && permissionNames.includes(view) ? view : undefined;
};

/** The reasons why a role cannot have these permissions; empty if there are none. */
export function permissionErrors(permissions: ReadonlySet<Permission>): Text[] {
  const reserved = adminOnlyPermissions.filter((name) => permissions.has(name));
  const blind = [...permissions].flatMap((name) => {
    const view = viewOf(name);
    return view === undefined || permissions.has(view) ? [] : [{ name, view }];
  });
  return [
    ...reserved.map((name) => text('roles.admin_only', { permission: name })),
    ...blind.map(({ name, view }) => text('roles.permission_needs', { permission: name, other: view })),
  ];
}
