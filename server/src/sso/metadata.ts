import { text } from '@tenure/contract';
import * as z from 'zod';
import type { Door } from '../http-out/door.ts';
import { EgressDenied, EgressFailed } from '../http-out/failures.ts';
import { HttpError, invalid } from '../http/errors.ts';

/** A provider's discovery document (OpenID Connect Discovery 1.0), as far as it is used here. */

const maxBytes = 200_000;
const timeoutMs = 10_000;

const https = z
  .string()
  .max(1_000)
  .refine((value) => URL.canParse(value) && new URL(value).protocol === 'https:');

const Metadata = z.object({
  issuer: z.string().max(500),
  authorization_endpoint: https,
  token_endpoint: https,
  jwks_uri: https,
  userinfo_endpoint: https.optional(),
  end_session_endpoint: https.optional(),
  id_token_signing_alg_values_supported: z.array(z.string()).optional(),
  authorization_response_iss_parameter_supported: z.boolean().optional(),
});
export type Metadata = z.output<typeof Metadata>;

/** The accepted algorithms for ID tokens, whatever a provider offers. */
const trusted = ['RS256', 'PS256', 'ES256', 'EdDSA', 'Ed25519'];

/** The accepted algorithms of a provider; RS256 if it names none. */
export const algorithmsOf = ({ id_token_signing_alg_values_supported: offered }: Metadata): string[] =>
  trusted.filter((name) => (offered ?? ['RS256']).includes(name));

/** Issuers whose tokens come from many organisations, each of which could assert any address. */
const entra =
  /^https:\/\/login\.(microsoftonline\.com|microsoft\.com|microsoftonline\.us|partner\.microsoftonline\.cn)\//;
const ofMany = /\/(common|organizations|consumers|\{tenantid\}|9188040d-6c67-4c5b-b112-36a304b66dad)(\/|$)/i;

/** True for an issuer that is not specific to a tenant. */
export const isOfManyTenants = (issuer: string): boolean => entra.test(issuer) && ofMany.test(new URL(issuer).pathname);

/** Whether a provider can notify the service of sign-outs. As far as is known, Entra ID and Google do not. */
export const sendsLogout = (issuer: string): boolean => !entra.test(issuer) && !isGoogle(issuer);

/** Google signs in members of all organisations under one issuer; `hd` distinguishes them. */
export const isGoogle = (issuer: string): boolean => issuer === 'https://accounts.google.com';

const refused = (key: 'unreachable' | 'no_provider' | 'not_allowed') => invalid('issuer', text(`sso.${key}`));

/** A document that names another issuer than the one requested. */
export class OtherIssuer extends HttpError {
  constructor(issuer: string) {
    const { status, body } = invalid('issuer', text('sso.other_issuer', { issuer }));
    super(status, body);
  }
}

/** The current document. Throws 422 on `issuer` with the reason. */
export async function readMetadata(door: Door, issuer: string): Promise<Metadata> {
  if (isOfManyTenants(issuer)) throw invalid('issuer', text('sso.many_tenants'));
  const url = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`;
  const answer = await door
    .send({ url, headers: { accept: 'application/json' }, maxBytes, timeoutMs })
    .catch(refusalOf);
  const document = answer.status === 200 ? parsed(answer.body) : undefined;
  if (!document) throw refused('no_provider');
  // byte by byte, because a document naming another provider would make its tokens trusted
  if (document.issuer !== issuer) throw new OtherIssuer(document.issuer);
  if (algorithmsOf(document).length === 0) throw invalid('issuer', text('sso.no_algorithm'));
  const { token_endpoint, jwks_uri, userinfo_endpoint } = document;
  for (const endpoint of [token_endpoint, jwks_uri, userinfo_endpoint ?? []].flat())
    await door.check(endpoint, timeoutMs).catch(refusalOf);
  return document;
}

function refusalOf(error: unknown): never {
  if (error instanceof EgressDenied) throw refused('not_allowed');
  if (error instanceof EgressFailed) throw refused('unreachable');
  throw error;
}

function parsed(body: Buffer): Metadata | undefined {
  try {
    return Metadata.safeParse(JSON.parse(body.toString('utf8'))).data;
  } catch {
    return undefined;
  }
}
