import * as z from 'zod';
import { confirmed, endpoint } from './endpoint.ts';
import { instant, item, Ref } from './envelope.ts';
import { boolean, id, revision } from './fields.ts';
import { spoken } from './spoken.ts';

/** Whose people must sign in through a provider. */
export const SignInPolicy = z.object({
  /** The company; null for the default. */
  entity: Ref.nullable(),
  /** False for a company that follows the default. */
  is_own: z.boolean(),
  sso_required: z.boolean(),
  sso_provider_ids: z.array(z.int()),
  /** Accounts it decides about; emergency accounts are not among them. */
  people_count: z.int(),
  revision: z.int(),
});
export type SignInPolicy = z.output<typeof SignInPolicy>;

/** What a policy would do. */
const PolicyPreflight = z.object({
  /** Why it cannot be switched on. */
  blockers: z.array(spoken()),
  /** How many accounts are linked to none of the providers, and the first of them. */
  unlinked_count: z.int(),
  unlinked: z.array(
    z.object({
      user_id: z.int(),
      name: z.string().max(255),
      email: z.string().max(190),
      /** Whether the rule of a provider finds them by their address. */
      is_found: z.boolean(),
    }),
  ),
  /** Sessions that would end. */
  sessions_to_end: z.int(),
});

/** An account that signs in with its password whatever the rules demand, for the day a provider is away. */
export const BreakGlassAccount = z.object({
  user_id: z.int(),
  name: z.string().max(255),
  email: z.string().max(190),
  has_second_factor: z.boolean(),
  last_login_at: instant.nullable(),
});

const path = '/sign-in-policies/:entity';
/** A company, or the row of those without one of their own and of accounts without a person. */
const texts = { entity: '(default|[1-9]\\d{0,15})' } as const;
const manage = { permission: 'identity.manage', scope: 'everything' } as const;
const about = { sso_required: boolean(), sso_provider_ids: z.array(id()).max(10) };
const accounts = item(z.object({ accounts: z.array(BreakGlassAccount) }));

export const signInPolicies = {
  list: endpoint({
    ...manage,
    method: 'GET',
    path: '/sign-in-policies',
    summary: 'Who must sign in through a provider: the default, then each company',
    accepts: 'session',
    reply: item(z.object({ policies: z.array(SignInPolicy) })),
    status: 200,
  }),
  update: endpoint({
    ...manage,
    ...confirmed,
    method: 'PUT',
    path,
    texts,
    summary: 'Demand a provider of a company (or `default`), or stop; ends the sessions that came another way',
    body: z.object({ ...about, ...revision }),
    reply: item(SignInPolicy),
    status: 200,
  }),
  reset: endpoint({
    ...manage,
    ...confirmed,
    method: 'DELETE',
    path,
    texts,
    summary: 'Let a company follow the default again',
    status: 204,
  }),
  preflight: endpoint({
    ...manage,
    method: 'POST',
    path: `${path}/preflight`,
    texts,
    summary: 'What a rule would do, and what stands in its way; changes nothing',
    accepts: 'session',
    body: z.object(about),
    reply: item(PolicyPreflight),
    status: 200,
  }),
};

export const breakGlass = {
  list: endpoint({
    ...manage,
    method: 'GET',
    path: '/break-glass-accounts',
    summary: 'Administrators who get in with their password when a provider is away',
    accepts: 'session',
    reply: accounts,
    status: 200,
  }),
  update: endpoint({
    ...manage,
    ...confirmed,
    method: 'PUT',
    path: '/break-glass-accounts',
    summary: 'Choose these administrators; their links to providers are removed',
    body: z.object({ user_ids: z.array(id()).max(5) }),
    reply: accounts,
    status: 200,
  }),
};
