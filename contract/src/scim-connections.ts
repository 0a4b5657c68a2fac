import * as z from 'zod';
import { employeeInput, roleAssignments } from './employee-fields.ts';
import { confirmed, endpoint } from './endpoint.ts';
import { ActorRef, allowedActions, instant, item, page, Ref, stamps } from './envelope.ts';
import { boolean, changes, id, oneOf, revision, text } from './fields.ts';
import { filters, listQuery } from './lists.ts';
import { messageField } from './message-field.ts';

/** What happens to a user without an account: it waits for HR, or is refused. */
export const unmatchedRules = ['stage', 'refuse'] as const;
/** The effect of an identity provider's request. */
export const scimEffects = [
  'adopted',
  'staged',
  'updated',
  'unchanged',
  'sign_in_blocked',
  'sign_in_allowed',
  'out_of_reach',
  'removed',
] as const;

/** The token of a connection; its text is shown once, when it is created. */
const ConnectionToken = z.object({
  /** Its last four characters. */
  hint: z.string().max(4),
  created_at: instant,
  expires_at: instant,
  last_used_at: instant.nullable(),
  last_used_ip: z.string().max(64).nullable(),
});

/** An identity provider that switches people's sign-in through SCIM. */
export const ScimConnection = z.object({
  id: z.int(),
  name: z.string().max(60),
  is_enabled: z.boolean(),
  /** Requests are checked and answered, but change nothing. */
  is_dry_run: z.boolean(),
  /** Companies whose people it reaches; null for all. */
  entity_ids: z.array(z.int()).nullable(),
  /** The single sign-on provider whose subjects are its external ids. */
  provider_id: z.int().nullable(),
  unmatched: z.enum(unmatchedRules),
  /** People who are notified about its token; if there are none, those who manage connections are. */
  owners: z.array(ActorRef),
  /** To be entered at the identity provider. */
  base_url: z.string().max(500),
  token: ConnectionToken.nullable(),
  users_count: z.int(),
  waiting_count: z.int(),
  groups_count: z.int(),
  /** People whose sign-in it has switched off. */
  blocked_count: z.int(),
  /** People from whom roles of its groups are withheld. */
  withheld_count: z.int(),
  last_request_at: instant.nullable(),
  revision: z.int(),
  ...stamps,
  allowed_actions: allowedActions,
});
export type ScimConnection = z.output<typeof ScimConnection>;

/** A user of an identity provider without a matching account. */
export const ScimWaiting = z.object({
  id: z.string().max(36),
  user_name: z.string().max(500),
  display_name: z.string().max(500).nullable(),
  first_name: z.string().max(500).nullable(),
  last_name: z.string().max(500).nullable(),
  job_title: z.string().max(500).nullable(),
  email: z.string().max(500).nullable(),
  employee_number: z.string().max(500).nullable(),
  department: z.string().max(500).nullable(),
  is_active: z.boolean(),
  created_at: instant,
});
export type ScimWaiting = z.output<typeof ScimWaiting>;

/** One of these users with its connection, for HR. */
export const ProvisionedPerson = ScimWaiting.extend({ connection: Ref, allowed_actions: allowedActions });
export type ProvisionedPerson = z.output<typeof ProvisionedPerson>;

/** One of these users, for the form that adds the person. */
export const NewcomerOfProvider = ProvisionedPerson.extend({
  /** The department that the identity provider states, by code or name; null if it is ambiguous. */
  place: z.object({ entity: Ref, department: Ref }).nullable(),
});
export type NewcomerOfProvider = z.output<typeof NewcomerOfProvider>;

/** A request of an identity provider: names of attributes, but no values. */
export const ScimRequest = z.object({
  id: z.int(),
  at: instant,
  method: z.string().max(10),
  resource: z.string().max(60),
  target: z.string().max(36).nullable(),
  status: z.int(),
  effect: z.enum(scimEffects).nullable(),
  /** Why it was refused; in English, as the identity provider receives it. */
  detail: z.string().max(500).nullable(),
  changed: z.array(z.string().max(500)),
  ignored: z.array(z.string().max(500)),
  is_dry_run: z.boolean(),
  /** The person whose account it concerned. */
  person: z.string().max(255).nullable(),
});
export type ScimRequest = z.output<typeof ScimRequest>;

const path = '/scim-connections/:id';
const waiting = `${path}/waiting/:waitingId` as const;
const texts = { waitingId: '[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}' } as const;
const reply = item(ScimConnection);
const manage = { permission: 'identity.manage', scope: 'everything' } as const;
const read = { ...manage, accepts: 'session' } as const;
const change = { ...manage, ...confirmed } as const;
/** A link lets the identity provider disable and enable an account, which is as powerful as issuing a password. */
const link = { permission: 'employees.reset_password', scope: 'relationship', accepts: 'session' } as const;

const about = z.object({
  name: text(60, 2),
  is_dry_run: boolean().optional(),
  entity_ids: z.array(id()).min(1).max(500).nullish(),
  provider_id: id().nullish(),
  unmatched: oneOf(unmatchedRules).optional(),
  /** By default, the user who adds the connection is its owner. */
  owner_ids: z.array(id()).min(1).max(2).optional(),
});

export const scimConnections = {
  list: endpoint({
    ...read,
    method: 'GET',
    path: '/scim-connections',
    summary: 'List the connections of identity providers (SCIM)',
    query: listQuery(['name', 'created_at'], {}),
    reply: page(ScimConnection),
    status: 200,
  }),
  get: endpoint({ ...read, method: 'GET', path, summary: 'Read a connection of SCIM', reply, status: 200 }),
  create: endpoint({
    ...change,
    method: 'POST',
    path: '/scim-connections',
    summary: 'Add a connection of SCIM; it needs a token before it answers',
    body: about,
    reply,
    status: 201,
  }),
  update: endpoint({
    ...change,
    method: 'PUT',
    path,
    summary: 'Change a connection of SCIM',
    body: changes(about, revision),
    reply,
    status: 200,
  }),
  delete: endpoint({
    ...change,
    method: 'DELETE',
    path,
    summary: 'Remove a connection of SCIM with its users and groups; people who are switched off stay so',
    status: 204,
  }),
  enable: endpoint({
    ...change,
    method: 'POST',
    path: `${path}/enable`,
    summary: 'Let a connection of SCIM answer',
    body: z.object(revision),
    reply,
    status: 200,
  }),
  disable: endpoint({
    ...change,
    method: 'POST',
    path: `${path}/disable`,
    summary: 'Let a connection of SCIM answer no more',
    body: z.object(revision),
    reply,
    status: 200,
  }),
  createToken: endpoint({
    ...change,
    method: 'POST',
    path: `${path}/token`,
    summary: 'Create the token of a connection of SCIM, shown once; ends the one before',
    reply: item(z.object({ token: z.string().max(60), expires_at: instant })),
    secret: true,
    status: 201,
  }),
  revokeToken: endpoint({
    ...change,
    method: 'DELETE',
    path: `${path}/token`,
    summary: 'Revoke the token of a connection of SCIM',
    status: 204,
  }),
  requests: endpoint({
    ...read,
    method: 'GET',
    path: `${path}/requests`,
    summary: 'What an identity provider asked for and what became of it, for thirty days',
    query: listQuery(['at'], { refused: filters.flag() }),
    reply: page(ScimRequest),
    status: 200,
  }),
  waiting: endpoint({
    ...link,
    method: 'GET',
    path: `${path}/waiting`,
    summary: 'Users of an identity provider for whom no account was found',
    query: listQuery(['created_at', 'user_name'], {}),
    reply: page(ScimWaiting),
    status: 200,
  }),
  allWaiting: endpoint({
    method: 'GET',
    path: '/people-waiting/provisioned',
    permission: 'employees.reset_password',
    scope: 'scoped',
    accepts: 'session',
    summary: 'Users of identity providers whose companies the caller covers, and for whom no account was found',
    query: listQuery(['created_at', 'user_name'], {}),
    reply: page(ProvisionedPerson),
    status: 200,
  }),
  oneWaiting: endpoint({
    ...link,
    method: 'GET',
    path: waiting,
    texts,
    summary: 'One of these users, to add the person',
    reply: item(NewcomerOfProvider),
    status: 200,
  }),
  linkWaiting: endpoint({
    ...link,
    step_up: true,
    method: 'POST',
    path: `${waiting}/link`,
    texts,
    summary: 'Link one of these users to a person, whose sign-in the identity provider switches from then on',
    body: z.object({ employee_id: id() }),
    reply: item(z.object({ id: z.string().max(36), employee_id: z.int() })),
    status: 200,
  }),
  dismissWaiting: endpoint({
    ...link,
    method: 'DELETE',
    path: waiting,
    texts,
    summary: 'Remove one of these users from the list; the identity provider keeps it',
    status: 204,
  }),
  createWaiting: endpoint({
    method: 'POST',
    path: `${waiting}/create`,
    texts,
    summary: 'Add one of these users as a person, and link the two; needs the permission to give passwords, too',
    permission: 'employees.create',
    scope: 'scoped',
    step_up: true,
    accepts: 'session',
    body: z.object({ ...employeeInput, assignments: roleAssignments.optional() }),
    reply: item(z.object({ id: z.string().max(36), employee_id: z.int() })).extend({
      warnings: z.array(messageField()).optional(),
    }),
    status: 201,
  }),
};
