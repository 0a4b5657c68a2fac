import * as z from 'zod';
import { confirmed, endpoint } from './endpoint.ts';
import { allowedActions, instant, item, page, stamps } from './envelope.ts';
import { changes, id, oneOf, pattern, revision, text } from './fields.ts';
import { filters, listQuery } from './lists.ts';
import { permissionCatalogue, permissionNames } from './permissions.ts';
import type { Permission } from './permissions.ts';

export const roleScopes = ['own', 'managed', 'all'] as const;
/** How far down the reporting line a role for managed people reaches: direct reports, or all reports below them too. */
export const managedDepths = ['direct', 'tree'] as const;

export const RoleRow = z.object({
  id: z.int(),
  name: z.string().max(60),
  description: z.string().max(255).nullable(),
  scope: z.enum(roleScopes),
  managed_depth: z.enum(managedDepths),
  is_system: z.boolean(),
  users_count: z.int(),
  permissions_count: z.int(),
  revision: z.int(),
  ...stamps,
  allowed_actions: allowedActions,
});
export type RoleRow = z.output<typeof RoleRow>;
export const Role = RoleRow.extend({ permissions: z.array(z.string().max(60)) });
export type Role = z.output<typeof Role>;

export const PermissionRow = z.object({
  id: z.int(),
  name: z.string().max(60),
  group: z.string().max(60),
  label: z.string().max(100),
});
export type PermissionRow = z.output<typeof PermissionRow>;

const groups = [...new Set(permissionCatalogue.map(({ group }) => group))] as [string, ...string[]];

const permission = ['rbac.manage', 'employees.assign_roles'] as const;
export const readRoles = { permission, scope: 'none' } as const;
const manage = { permission: 'rbac.manage', scope: 'none' } as const;

const names = permissionNames as [Permission, ...Permission[]];

/** Without invisible characters; consecutive white space becomes one space. */
const roleName = () => pattern(/^[^\p{C}]*$/u, 60, 2).overwrite((value) => value.replaceAll(/\s+/gu, ' '));
const permissions = () => z.array(oneOf(names)).max(100);

const about = z.object({
  name: roleName(),
  description: text(255).nullish(),
  scope: oneOf(roleScopes),
  /** Only for a role for managed people: `direct` if it is left out, and when the scope changes. */
  managed_depth: oneOf(managedDepths).optional(),
});

/** How many people gain or lose a permission, because no other role gives it to the same extent. */
const Moved = z.object({ permission: z.string().max(60), people: z.int() });

export const RoleImpact = z.object({
  /** How many accounts hold the role. */
  holders: z.int(),
  gains: z.array(Moved),
  losses: z.array(Moved),
  /** The number of people who gain anything, and of those who lose anything. */
  gaining: z.int(),
  losing: z.int(),
});
export type RoleImpact = z.output<typeof RoleImpact>;

/** A session that views the application as a role: it can change nothing until the view ends. */
export const RoleView = z.object({
  role_id: z.int(),
  role: z.string().max(60),
  /** Companies that the view is limited to, like an assignment of the role would be; null for no limit. */
  entity_ids: z.array(z.int()).nullable(),
  until: instant,
});
export type RoleView = z.output<typeof RoleView>;

export const roles = {
  list: endpoint({
    method: 'GET',
    path: '/roles',
    summary: 'List roles',
    permission,
    scope: 'none',
    query: listQuery(['name', 'users_count', 'created_at'], {
      is_system: filters.flag(),
      scope: filters.oneOf(roleScopes),
    }),
    reply: page(RoleRow),
    status: 200,
  }),
  matrix: endpoint({
    method: 'GET',
    path: '/roles/matrix',
    summary: 'Every role with its permissions',
    permission,
    scope: 'none',
    reply: item(z.object({ roles: z.array(Role) })),
    status: 200,
  }),
  get: endpoint({
    method: 'GET',
    path: '/roles/:id',
    summary: 'Read a role with its permissions',
    permission,
    scope: 'none',
    reply: item(Role),
    status: 200,
  }),
  create: endpoint({
    ...manage,
    method: 'POST',
    path: '/roles',
    summary: 'Add a role',
    ...confirmed,
    body: about.extend({ permissions: permissions() }),
    reply: item(Role),
    status: 201,
  }),
  update: endpoint({
    ...manage,
    method: 'PUT',
    path: '/roles/:id',
    summary: 'Change the name, description, scope or depth of a role',
    ...confirmed,
    body: changes(about, revision),
    reply: item(Role),
    status: 200,
  }),
  setPermissions: endpoint({
    ...manage,
    method: 'PUT',
    path: '/roles/:id/permissions',
    summary: 'Replace the permissions of a role',
    ...confirmed,
    body: z.object({ permissions: permissions(), ...revision }),
    reply: item(Role),
    status: 200,
  }),
  impact: endpoint({
    ...manage,
    method: 'GET',
    path: '/roles/:id/impact',
    summary: 'How many people other permissions of a role would reach',
    query: z.object({ gives: filters.oneOf(names), takes: filters.oneOf(names) }),
    reply: item(RoleImpact),
    status: 200,
  }),
  delete: endpoint({
    ...manage,
    method: 'DELETE',
    path: '/roles/:id',
    summary: 'Delete a role',
    accepts: 'session',
    status: 204,
  }),
  startView: endpoint({
    ...manage,
    method: 'POST',
    path: '/roles/:id/view',
    summary: 'View the application as a role: this session can only read for half an hour',
    accepts: 'session',
    body: z.object({ entity_ids: z.array(id()).max(500).nullish() }),
    reply: item(RoleView),
    status: 200,
  }),
  endView: endpoint({
    method: 'DELETE',
    path: '/role-view',
    summary: 'Stop viewing as a role',
    permission: 'signed in',
    scope: 'own',
    status: 204,
  }),
  permissions: endpoint({
    method: 'GET',
    path: '/permissions',
    summary: 'The permission catalogue',
    permission,
    scope: 'none',
    query: listQuery(['id', 'group', 'name'], { group: filters.oneOf(groups) }),
    reply: page(PermissionRow),
    status: 200,
  }),
};
