import * as z from 'zod';
import { confirmed, endpoint } from './endpoint.ts';
import { allowedActions, instant, item, page } from './envelope.ts';
import { id, integer, oneOf, text } from './fields.ts';
import { filters, listQuery } from './lists.ts';
import { permissionNames } from './permissions.ts';
import type { Permission } from './permissions.ts';

/** Of a person, of a service account, and of a SCIM provider. */
export const tokenKinds = ['personal', 'service', 'provisioning'] as const;
/** `active` can use the API; the others cannot, and never will again. */
export const tokenStates = ['active', 'expired', 'revoked'] as const;

/** Why an active token needs attention: it expires within 14 days, or was not used for 90. */
export const tokenAttention = ['ending', 'unused'] as const;

/** Days that a token is valid: the defaults for a person and a program, and the most for a program. */
export const tokenDays = { personal: 90, service: 365, maxForService: 730 } as const;
/** The most active tokens of an account. */
export const maxTokens = 20;

const name = z.string().max(60);

/** Everything about a token except the token itself. */
export const ApiToken = z.object({
  id: z.int(),
  kind: z.enum(tokenKinds),
  name,
  /** Its start and its last four characters, by which people recognise it. */
  hint: z.string().max(20),
  state: z.enum(tokenStates),
  /** What it may do, as far as its account may; empty for one that only provisioning accepts. */
  permissions: z.array(z.string().max(60)),
  /** Companies that it is limited to; null for all that its account reaches. */
  entity_ids: z.array(z.int()).nullable(),
  created_at: instant,
  expires_at: instant,
  last_used_at: instant.nullable(),
  last_used_ip: z.string().max(64).nullable(),
  attention: z.array(z.enum(tokenAttention)),
  revoked_at: instant.nullable(),
  allowed_actions: allowedActions,
});
export type ApiToken = z.output<typeof ApiToken>;

/** The same with the account whose rights it has. */
export const AnyToken = ApiToken.extend({
  account: z.object({ user_id: z.int(), name: z.string().max(255), is_service: z.boolean() }),
});
export type AnyToken = z.output<typeof AnyToken>;

/** A new token: the only time that it is shown. */
export const madeToken = item(ApiToken).extend({ token: z.string().max(60) });

const names = permissionNames as [Permission, ...Permission[]];

/** The rights of a new token, and its expiry. */
export const tokenInput = {
  name: text(60, 1),
  permissions: z.array(oneOf(names)).min(1).max(100),
  entity_ids: z.array(id()).min(1).max(500).nullish(),
  days: integer(1, 3_660).optional(),
};

export const tokenQuery = listQuery(['last_used_at', 'expires_at', 'created_at', 'name', 'attention'], {
  state: filters.oneOf(tokenStates),
  attention: filters.oneOf(tokenAttention),
});

const own = { permission: 'tokens.create', scope: 'own', accepts: 'session' } as const;
const all = { permission: 'tokens.view_all', scope: 'everything', accepts: 'session' } as const;

export const ownTokens = {
  list: endpoint({
    ...own,
    method: 'GET',
    path: '/profile/tokens',
    summary: 'List the own tokens',
    query: tokenQuery,
    reply: page(ApiToken),
    status: 200,
  }),
  create: endpoint({
    ...own,
    ...confirmed,
    method: 'POST',
    path: '/profile/tokens',
    summary: 'Make a token with which a program does what you may do, as far as its permissions go; shown once',
    body: z.object(tokenInput),
    reply: madeToken,
    secret: true,
    status: 201,
  }),
  update: endpoint({
    ...own,
    method: 'PUT',
    path: '/profile/tokens/:id',
    summary: 'Rename an own token; what it may do stays',
    body: z.object({ name: tokenInput.name }),
    reply: item(ApiToken),
    status: 200,
  }),
  delete: endpoint({
    ...own,
    method: 'DELETE',
    path: '/profile/tokens/:id',
    summary: 'Revoke an own token, effective at its next request',
    status: 204,
  }),
};

export const allTokens = {
  list: endpoint({
    ...all,
    method: 'GET',
    path: '/tokens',
    summary: 'List the tokens of all accounts',
    query: tokenQuery.extend({ kind: filters.oneOf(tokenKinds) }),
    reply: page(AnyToken),
    status: 200,
  }),
  delete: endpoint({
    ...all,
    method: 'DELETE',
    path: '/tokens/:id',
    summary: 'Revoke a token, effective at its next request',
    status: 204,
  }),
};
