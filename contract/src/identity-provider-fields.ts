import * as z from 'zod';
import { boolean, filled, id, number, oneOf, pattern, text } from './fields.ts';
import { messages } from './messages.ts';
import { asIssue } from './texts.ts';

/** The settings of a single sign-on provider. */

/** The provider's protocol: OpenID Connect or SAML 2.0. It cannot change. */
export const providerKinds = ['oidc', 'saml'] as const;
/** How the service authenticates to a provider: with a secret, or with a key whose public half the provider reads. */
export const clientAuths = ['client_secret_basic', 'client_secret_post', 'private_key_jwt'] as const;
/** Which people are matched by address when they first sign in. */
export const matchRules = ['linked_only', 'verified_email', 'tenant_address'] as const;
/** The claim that identifies the person; `oid` is Entra ID's stable one. */
export const subjectClaims = ['sub', 'oid'] as const;
/** The claim with the person's address. */
export const addressClaims = ['email', 'preferred_username', 'upn'] as const;
/**
 * Whether a sign-in counts as two factors: never, always, or if `amr` or `acr` (for SAML, `AuthnContextClassRef`) has
 * one of the given values.
 */
export const trustedFactors = ['never', 'always', 'values'] as const;

/** Why it fails: no answer; client ID, secret or scopes refused; answer rejected; discovery unreadable or another's. */
export const outageReasons = ['away', 'refused', 'answer', 'unreadable', 'issuer'] as const;
export type OutageReason = (typeof outageReasons)[number];

const issuer = () =>
  text(500)
    .meta({ maxLength: 500, format: 'uri' })
    .refine((value) => /^https:\/\/[^\s?#]+$/u.test(value) && URL.canParse(value), { error: asIssue(messages.url) });

const httpsAddress = () =>
  text(1_000)
    .meta({ maxLength: 1_000, format: 'uri' })
    .refine((value) => /^https:\/\/[^\s#]+$/u.test(value) && URL.canParse(value), { error: asIssue(messages.url) });

const domain = () => pattern(/^[\p{L}\p{N}-]+(\.[\p{L}\p{N}-]+)+$/u, 190).overwrite((value) => value.toLowerCase());
const word = () => pattern(/^[\x21-\x7e]+$/, 100, 1);

const settings = z.object({
  name: text(60, 2),
  /** By default `oidc`; fields of the other kind are refused. */
  kind: oneOf(providerKinds).optional(),
  issuer: issuer().optional(),
  client_id: text(255, 1).optional(),
  client_auth: oneOf(clientAuths).optional(),
  client_secret: text(1_000, 1).optional(),
  scopes: z.array(word()).max(20).optional(),
  entity_ids: z.array(id()).min(1).max(500).nullish(),
  domains: z.array(domain()).max(100).optional(),
  match_rule: oneOf(matchRules).optional(),
  subject_claim: oneOf(subjectClaims).optional(),
  address_claim: oneOf(addressClaims).optional(),
  second_factor: oneOf(trustedFactors).optional(),
  second_factor_values: z.array(word()).max(20).optional(),
  session_max_hours: number(0.25, 720).nullish(),
  groups_claim: word().nullish(),
  end_session: boolean().optional(),
  /** SAML: the provider's metadata, or its https address; what is used of it is read once, now. */
  metadata_xml: text(262_144, 1).optional(),
  metadata_url: httpsAddress().optional(),
  subject_attribute: word().nullish(),
  address_attribute: word().nullish(),
});

/** A provider's settings, as an administrator enters them. */
export const providerInput = filled(settings, ['issuer', 'client_id', 'client_secret', 'metadata_xml', 'metadata_url']);
