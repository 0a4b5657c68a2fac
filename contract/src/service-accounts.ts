import * as z from 'zod';
import { ApiToken, madeToken, tokenInput, tokenQuery } from './api-tokens.ts';
import { roleAssignments } from './employee-fields.ts';
import { confirmed, endpoint } from './endpoint.ts';
import { ActorRef, allowedActions, instant, item, page, Ref, stamps } from './envelope.ts';
import { boolean, changes, id, pattern, revision, text } from './fields.ts';
import { listQuery } from './lists.ts';
import { managedDepths, roleScopes } from './roles.ts';

/** A program's account: without a person, a password or administrator rights. */
export const ServiceAccount = z.object({
  id: z.int(),
  name: z.string().max(60),
  description: z.string().max(500).nullable(),
  /** People who are notified about its tokens. */
  owners: z.array(ActorRef),
  /** Networks from which its tokens are accepted; null for all. */
  cidrs: z.array(z.string().max(50)).nullable(),
  is_enabled: z.boolean(),
  role_assignments: z.array(
    z.object({
      role_id: z.int(),
      role: z.string().max(60),
      scope: z.enum(roleScopes),
      managed_depth: z.enum(managedDepths),
      entity_ids: z.array(z.int()).nullable(),
      department_ids: z.array(z.int()).optional(),
      /** The same with their names. */
      departments: z.array(Ref).optional(),
    }),
  ),
  /** What its roles permit together, and so what its tokens may permit. */
  permissions: z.array(z.string().max(60)),
  active_tokens: z.int(),
  last_used_at: instant.nullable(),
  revision: z.int(),
  ...stamps,
  allowed_actions: allowedActions,
});
export type ServiceAccount = z.output<typeof ServiceAccount>;

const about = z.object({
  name: text(60, 2),
  description: text(500).nullish(),
  owner_ids: z.array(id()).min(1).max(2),
  cidrs: z
    .array(pattern(/^[0-9a-fA-F.:]+(\/\d{1,3})?$/, 50, 2))
    .min(1)
    .max(50)
    .nullish(),
  /** Disabling it revokes its tokens permanently. */
  is_enabled: boolean().optional(),
});

const path = '/service-accounts/:id';
const reply = item(ServiceAccount);
const read = { permission: 'service-accounts.manage', scope: 'everything', accepts: 'session' } as const;
const change = { permission: 'service-accounts.manage', scope: 'everything', ...confirmed } as const;

export const serviceAccounts = {
  list: endpoint({
    ...read,
    method: 'GET',
    path: '/service-accounts',
    summary: 'List the accounts of programs',
    query: listQuery(['name', 'last_used_at', 'created_at'], {}),
    reply: page(ServiceAccount),
    status: 200,
  }),
  get: endpoint({ ...read, method: 'GET', path, summary: 'Read an account of a program', reply, status: 200 }),
  create: endpoint({
    ...change,
    method: 'POST',
    path: '/service-accounts',
    summary: 'Add an account of a program; it may do nothing until it has a role',
    body: about,
    reply,
    status: 201,
  }),
  update: endpoint({
    ...change,
    method: 'PUT',
    path,
    summary: 'Change an account of a program',
    body: changes(about, revision),
    reply,
    status: 200,
  }),
  delete: endpoint({
    ...change,
    method: 'DELETE',
    path,
    summary: 'Delete an account of a program with its tokens and webhooks; one that acted is switched off instead',
    status: 204,
  }),
  setRoles: endpoint({
    ...change,
    method: 'PUT',
    path: `${path}/roles`,
    summary: 'Replace the roles of an account of a program, as of a person; never Admin',
    body: z.object({ assignments: roleAssignments, ...revision }),
    reply,
    status: 200,
  }),
  tokens: endpoint({
    ...read,
    method: 'GET',
    path: `${path}/tokens`,
    summary: 'List the tokens of an account of a program',
    query: tokenQuery,
    reply: page(ApiToken),
    status: 200,
  }),
  createToken: endpoint({
    ...change,
    method: 'POST',
    path: `${path}/tokens`,
    summary: 'Make a token of an account of a program; shown once',
    body: z.object(tokenInput),
    reply: madeToken,
    secret: true,
    status: 201,
  }),
  deleteToken: endpoint({
    ...read,
    method: 'DELETE',
    path: `${path}/tokens/:tokenId`,
    summary: 'Revoke a token of an account of a program',
    status: 204,
  }),
};
