import * as z from 'zod';
import { confirmed, endpoint } from './endpoint.ts';
import { instant, item, Ref } from './envelope.ts';
import { email, pattern, text } from './fields.ts';
import { messages } from './messages.ts';
import { messageField } from './message-field.ts';
import { asIssue } from './texts.ts';

const open = { permission: 'public', scope: 'none', status: 200 } as const;
const guest = { ...open, method: 'POST', guest: true } as const;

/** A path in the browser application, without a host; refuses what a browser would interpret as another host. */
export const nextPage = () => pattern(/^\/(?![/\\])[\x21\x23-\x5b\x5d-\x7e]*$/, 300);
const address = item(z.object({ url: z.string().max(4_000) }));

/** What the provider returned: one of the two. */
const answer = z
  .object({
    query: text(8_000, 1).optional(),
    /** From a SAML provider: opens the answer for a minute, once, in the browser that started the flow. */
    handoff: pattern(/^[\w-]{43}$/, 43).optional(),
  })
  .check(({ value: { query, handoff }, issues }) => {
    if (query === undefined && handoff === undefined)
      issues.push({ code: 'custom', input: query, path: ['query'], message: asIssue(messages.required) });
  });

/** How people sign in through providers. The provider returns to `/sso/callback/:id`, a page that posts the answer. */
export const sso = {
  ways: endpoint({
    ...open,
    method: 'GET',
    path: '/sign-in/options',
    summary: 'What the sign-in page offers before it knows an address',
    reply: item(
      z.object({
        /** Whether any address leads to a provider; otherwise there is no point in asking for it first. */
        by_address: z.boolean(),
        /** Whether passkeys work at the address of this service. */
        passkey: z.boolean(),
        /** Providers without domains: each is a button. */
        providers: z.array(Ref),
      }),
    ),
  }),
  options: endpoint({
    ...guest,
    path: '/sign-in/options',
    summary: 'How the owner of an address signs in, by its domain alone',
    body: z.object({ email: email() }),
    reply: item(
      z.object({
        provider: Ref.nullable(),
        /** Whether signing in with a password is offered. */
        password: z.boolean(),
      }),
    ),
  }),
  start: endpoint({
    ...guest,
    path: '/sso/:id/start',
    summary: 'Begin to sign in through a provider: where to send the browser',
    body: z.object({ next: nextPage().nullish() }),
    reply: address,
  }),
  complete: endpoint({
    ...guest,
    path: '/sso/:id/complete',
    summary:
      'End what was begun in this browser with what the provider returned: the query string, or a handoff of SAML',
    body: answer,
    reply: z.object({
      message: messageField(255),
      /** The account has a second factor that the provider does not replace: POST `/two-factor-challenge` continues. */
      two_factor: z.literal(true).optional(),
      /** The page that the user wanted to open. */
      next: z.string().max(300).nullable(),
    }),
  }),
};

const own = { permission: 'signed in', scope: 'own' } as const;

/** The user's account at a provider. */
export const OwnIdentity = z.object({
  id: z.int(),
  provider: Ref,
  /** Its address in the last sign-in, which may differ from the one here. */
  email: z.string().max(190).nullable(),
  linked_at: instant,
  last_used_at: instant.nullable(),
});

export const ownIdentities = {
  list: endpoint({
    ...own,
    method: 'GET',
    path: '/profile/identities',
    summary: 'Providers that the own account is linked to, and others that it can be linked to',
    accepts: 'session',
    reply: item(z.object({ identities: z.array(OwnIdentity), providers: z.array(Ref) })),
    status: 200,
  }),
  start: endpoint({
    ...own,
    ...confirmed,
    method: 'POST',
    path: '/profile/identities/:id/start',
    summary: 'Begin to link the own account to a provider; ends like a sign-in, at /sso/:id/complete',
    reply: address,
    status: 200,
  }),
  delete: endpoint({
    ...own,
    ...confirmed,
    method: 'DELETE',
    path: '/profile/identities/:id',
    summary: 'Remove the link to a provider from the own account',
    status: 204,
  }),
};
