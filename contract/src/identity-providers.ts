import * as z from 'zod';
import { employeeInput, roleAssignments } from './employee-fields.ts';
import { confirmed, endpoint } from './endpoint.ts';
import { allowedActions, instant, item, page, stamps } from './envelope.ts';
import { changes, id, revision } from './fields.ts';
import {
  addressClaims,
  clientAuths,
  matchRules,
  outageReasons,
  providerInput,
  providerKinds,
  subjectClaims,
  trustedFactors,
} from './identity-provider-fields.ts';
import { listQuery } from './lists.ts';
import { messageField } from './message-field.ts';
import { UnmatchedPerson, WaitingPerson } from './unmatched-people.ts';

const shortText = z.string().max(255);

/** A certificate for checking a SAML provider's signatures. */
const SigningCertificate = z.object({
  subject: shortText,
  /** SHA-256 of the certificate, as other tools show it. */
  fingerprint: z.string().max(95),
  valid_from: instant,
  /** From then on, nothing that it signs is accepted. */
  valid_until: instant,
});
export type SigningCertificate = z.output<typeof SigningCertificate>;

export const IdentityProvider = z.object({
  id: z.int(),
  name: z.string().max(60),
  kind: z.enum(providerKinds),
  is_enabled: z.boolean(),
  /** As spelled in its discovery document; the entity id of a SAML provider. */
  issuer: z.string().max(500),
  /** Empty for SAML. */
  client_id: shortText,
  client_auth: z.enum(clientAuths),
  /** Whether a secret is stored; it is never shown. */
  has_client_secret: z.boolean(),
  scopes: z.array(z.string().max(100)),
  /** Companies whose people may sign in through it; null for all. */
  entity_ids: z.array(z.int()).nullable(),
  /** Email domains whose users the sign-in page sends to it; without any, it is a button. */
  domains: z.array(shortText),
  match_rule: z.enum(matchRules),
  subject_claim: z.enum(subjectClaims),
  address_claim: z.enum(addressClaims),
  second_factor: z.enum(trustedFactors),
  second_factor_values: z.array(z.string().max(100)),
  /** Never longer than the installation's limit; null for that limit. */
  session_max_hours: z.number().nullable(),
  /** The claim with a person's groups, which rules use to assign roles; null if groups are not read. */
  groups_claim: z.string().max(100).nullable(),
  /** Whether signing out here also signs out there. */
  end_session: z.boolean(),
  /** Whether it has an address for that. */
  can_end_session: z.boolean(),
  /** To be entered at the provider as the redirect URI. */
  return_address: z.string().max(500),
  /** Where the provider finds the service's public keys, for `private_key_jwt`. */
  keys_address: z.string().max(500),
  /** To be entered at the provider: where it reports sign-outs (back-channel logout); null for SAML. */
  backchannel_address: z.string().max(500).nullable(),
  /** To be entered there too: where it sends browsers after they sign out; null for SAML. */
  signed_out_address: z.string().max(500).nullable(),
  /** Whether it can report sign-outs; as far as is known, Entra ID, Google and SAML do not. */
  sends_logout: z.boolean(),
  /** SAML: where browsers go to sign in, and one certificate for its signatures, or two that overlap. */
  sso_url: z.string().max(1_000).nullable(),
  certificates: z.array(SigningCertificate),
  /** SAML: the attribute that identifies the person; null for the persistent name id. */
  subject_attribute: shortText.nullable(),
  /** SAML: the attribute with the person's address. */
  address_attribute: shortText.nullable(),
  /** SAML, to be entered at the provider: where it sends answers; the service's entity id and metadata address. */
  acs_address: z.string().max(500),
  metadata_address: z.string().max(500),
  /** When its discovery document was last read. */
  checked_at: instant,
  /** Since when it fails because of itself or these settings; null while it works, is disabled or uses SAML. */
  failing: z.object({ since: instant, reason: z.enum(outageReasons) }).nullable(),
  /** When an administrator last tested it with the current settings. */
  tested_at: instant.nullable(),
  /** Accounts that are linked to it, and unmatched people who tried to sign in. */
  linked_count: z.int(),
  unmatched_count: z.int(),
  /** Linked people whose last sign-in lacked the groups claim. */
  groups_missing_count: z.int(),
  revision: z.int(),
  ...stamps,
  allowed_actions: allowedActions,
});
export type IdentityProvider = z.output<typeof IdentityProvider>;

/** The result of an administrator's test. */
export const ProviderTest = z.object({
  tested_at: instant.nullable(),
  claims: z.array(z.object({ name: z.string().max(100), value: z.string().max(500) })),
  subject: shortText.nullable(),
  /** The address for matching an account the first time; null if the rule allows none. */
  address: z.string().max(190).nullable(),
  /** The number of factors that the sign-in counts as. */
  factors: z.int(),
  /**
   * Whether people can confirm dangerous actions there, because it reports when they signed in. Null if the
   * installation requires no confirmation, and for tests under earlier releases.
   */
  confirms: z.boolean().nullable(),
  /** The account that it would sign in to, and how it was found. */
  found: z.object({ name: shortText, by: z.enum(['subject', 'address']) }).nullable(),
});
export type ProviderTest = z.output<typeof ProviderTest>;

const path = '/identity-providers/:id';
const reply = item(IdentityProvider);
const manage = { permission: 'identity.manage', scope: 'everything' } as const;
const read = { ...manage, accepts: 'session' } as const;
const change = { ...manage, ...confirmed } as const;
/** A link gives access to an account, like a new password. */
const link = { permission: 'employees.reset_password', scope: 'relationship' } as const;

export const identityProviders = {
  list: endpoint({
    ...read,
    method: 'GET',
    path: '/identity-providers',
    summary: 'List the providers of single sign-on',
    query: listQuery(['name', 'created_at'], {}),
    reply: page(IdentityProvider),
    status: 200,
  }),
  get: endpoint({ ...read, method: 'GET', path, summary: 'Read a provider of single sign-on', reply, status: 200 }),
  create: endpoint({
    ...change,
    method: 'POST',
    path: '/identity-providers',
    summary: 'Add a provider of single sign-on; it is off until it is enabled',
    body: providerInput,
    reply,
    status: 201,
  }),
  update: endpoint({
    ...change,
    method: 'PUT',
    path,
    summary: 'Change a provider of single sign-on; a secret that is left out stays',
    body: changes(providerInput, revision),
    reply,
    status: 200,
  }),
  delete: endpoint({
    ...change,
    method: 'DELETE',
    path,
    summary: 'Remove a provider with its links; ends the sessions that came from it',
    status: 204,
  }),
  enable: endpoint({
    ...change,
    method: 'POST',
    path: `${path}/enable`,
    summary: 'Let people sign in through a provider',
    body: z.object(revision),
    reply,
    status: 200,
  }),
  disable: endpoint({
    ...change,
    method: 'POST',
    path: `${path}/disable`,
    summary: 'Let no one sign in through a provider any more; ends the sessions that came from it',
    body: z.object(revision),
    reply,
    status: 200,
  }),
  test: endpoint({
    ...change,
    method: 'POST',
    path: `${path}/test`,
    summary: 'Begin to try a provider, also one that is off: signs no one in; ends at /sso/:id/complete',
    reply: item(z.object({ url: z.string().max(4_000) })),
    status: 200,
  }),
  testResult: endpoint({
    ...read,
    method: 'GET',
    path: `${path}/test-result`,
    summary: 'What the last test of a provider showed',
    reply: item(ProviderTest),
    status: 200,
  }),
  unmatched: endpoint({
    ...link,
    method: 'GET',
    path: `${path}/unmatched`,
    summary: 'People who tried to sign in through a provider and were not found, for thirty days',
    accepts: 'session',
    query: listQuery(['last_try_at', 'name', 'email'], {}),
    reply: page(UnmatchedPerson),
    status: 200,
  }),
  oneUnmatched: endpoint({
    ...link,
    method: 'GET',
    path: `${path}/unmatched/:unmatchedId`,
    summary: 'One of these people, to add the person',
    accepts: 'session',
    reply: item(WaitingPerson),
    status: 200,
  }),
  createUnmatched: endpoint({
    method: 'POST',
    path: `${path}/unmatched/:unmatchedId/create`,
    summary:
      'Add one of these people as a person, who signs in to the new account; needs the permission to give passwords, too',
    permission: 'employees.create',
    scope: 'scoped',
    step_up: true,
    accepts: 'session',
    body: z.object({ ...employeeInput, assignments: roleAssignments.optional() }),
    reply: item(z.object({ id: z.int(), employee_id: z.int() })).extend({
      warnings: z.array(messageField()).optional(),
    }),
    status: 201,
  }),
  waiting: endpoint({
    method: 'GET',
    path: '/people-waiting',
    summary: 'People who tried to sign in through a provider whose companies the caller covers, and were not found',
    permission: ['employees.create', 'employees.reset_password'],
    scope: 'scoped',
    query: listQuery(['last_try_at', 'name', 'email'], {}),
    reply: page(WaitingPerson),
    status: 200,
  }),
  linkUnmatched: endpoint({
    ...link,
    ...confirmed,
    method: 'POST',
    path: `${path}/unmatched/:unmatchedId/link`,
    summary: 'Link one of these people to an account, which they sign in to from then on',
    body: z.object({ employee_id: id() }),
    reply: item(z.object({ id: z.int(), employee_id: z.int() })),
    status: 200,
  }),
  dismissUnmatched: endpoint({
    ...link,
    method: 'DELETE',
    path: `${path}/unmatched/:unmatchedId`,
    summary: 'Remove one of these people from the list until they try again',
    accepts: 'session',
    status: 204,
  }),
};
