import * as z from 'zod';
import { confirmed, endpoint } from './endpoint.ts';
import { day, instant, item, page, Ref } from './envelope.ts';
import { boolean, date, id, number, revision } from './fields.ts';
import { filters, listQuery } from './lists.ts';
import { messageField } from './message-field.ts';

/** How the people of a company sign in. */
export const SignInPolicy = z.object({
  /** The company; null for the default. */
  entity: Ref.nullable(),
  /** False for a company that follows the default. */
  is_own: z.boolean(),
  sso_required: z.boolean(),
  sso_provider_ids: z.array(z.int()),
  /** The day (UTC) from which they need a second factor; null: not required. */
  second_factor_from: day.nullable(),
  /** The longest session in hours; null for the installation's limit, which is never exceeded. */
  session_max_hours: z.number().nullable(),
  /** Accounts that it applies to; emergency accounts are excluded. */
  people_count: z.int(),
  revision: z.int(),
});
export type SignInPolicy = z.output<typeof SignInPolicy>;

/** An account that is not linked to any of the providers. */
export const UnlinkedAccount = z.object({
  user_id: z.int(),
  name: z.string().max(255),
  email: z.string().max(190),
  /** Whether a provider's rule matches them by address. */
  is_found: z.boolean(),
});
export type UnlinkedAccount = z.output<typeof UnlinkedAccount>;

/** What a policy would do. */
export const PolicyPreflight = z.object({
  /** Why it cannot be switched on. */
  blockers: z.array(messageField()),
  /** What to know before. */
  warnings: z.array(messageField()),
  /** How many accounts are not linked to any of the providers, and the first of them. */
  unlinked_count: z.int(),
  unlinked: z.array(UnlinkedAccount),
  /** Those of them that no provider's rule would match: they must be linked first, by HR or by themselves. */
  not_found_count: z.int(),
  /** Sessions that would end. */
  sessions_to_end: z.int(),
  /** Accounts without a second factor here, if one is required. */
  without_factor_count: z.int(),
});
export type PolicyPreflight = z.output<typeof PolicyPreflight>;

/** An account that signs in with its password whatever the rules require, in case a provider is unavailable. */
export const BreakGlassAccount = z.object({
  user_id: z.int(),
  name: z.string().max(255),
  email: z.string().max(190),
  has_password: z.boolean(),
  has_second_factor: z.boolean(),
  last_login_at: instant.nullable(),
  /** When it last began a session as an emergency account. */
  last_used_at: instant.nullable(),
});
export type BreakGlassAccount = z.output<typeof BreakGlassAccount>;

const path = '/sign-in-policies/:entity';
/** A company, or the default for companies without their own policy and accounts without a person. */
const texts = { entity: '(default|[1-9]\\d{0,15})' } as const;
const manage = { permission: 'identity.manage', scope: 'everything' } as const;
const about = {
  sso_required: boolean(),
  sso_provider_ids: z.array(id()).max(10),
  /** Unchanged if left out. */
  second_factor_from: date().nullish(),
  session_max_hours: number(0.25, 720).nullish(),
};
const accounts = item(
  z.object({
    accounts: z.array(BreakGlassAccount),
    /** Other administrators, who can be selected once they have a second factor. */
    candidates: z.array(BreakGlassAccount),
    revision: z.int(),
  }),
);

export const signInPolicies = {
  list: endpoint({
    ...manage,
    method: 'GET',
    path: '/sign-in-policies',
    summary: 'How the people of each company sign in: the default, then each company',
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
    summary: 'Set how people of a company (or `default`) sign in; ends the sessions that came another way',
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
  unlinked: endpoint({
    ...manage,
    method: 'GET',
    path: `${path}/unlinked`,
    texts,
    summary: 'Accounts of a company (or `default`) that are linked to none of some providers',
    accepts: 'session',
    query: listQuery(['is_found', 'name', 'email'], { provider_ids: filters.ids(), is_found: filters.flag() }),
    reply: page(UnlinkedAccount),
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
    body: z.object({ user_ids: z.array(id()).max(5), ...revision }),
    reply: accounts,
    status: 200,
  }),
};
