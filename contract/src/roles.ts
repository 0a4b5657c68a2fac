import * as z from 'zod';
import { endpoint } from './endpoint.ts';
import { allowedActions, item, page, stamps } from './envelope.ts';
import { filters, listQuery } from './lists.ts';
import { permissionCatalogue } from './permissions.ts';

export const roleScopes = ['own', 'managed', 'all'] as const;

export const RoleRow = z.object({
  id: z.int(),
  name: z.string().max(60),
  description: z.string().max(255).nullable(),
  scope: z.enum(roleScopes),
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
  get: endpoint({
    method: 'GET',
    path: '/roles/:id',
    summary: 'Read a role with its permissions',
    permission,
    scope: 'none',
    reply: item(Role),
    status: 200,
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
