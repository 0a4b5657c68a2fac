import {
  authorizationCodeGrant,
  buildAuthorizationUrl,
  ClientSecretBasic,
  ClientSecretPost,
  clockTolerance,
  Configuration,
  customFetch,
  enableNonRepudiationChecks,
  fetchUserInfo,
  PrivateKeyJwt,
} from 'openid-client';
import type { ClientAuth, IDToken } from 'openid-client';
import type { OutageReason } from '@tenure/contract';
import type { Config } from '../config.ts';
import { equal, sha256, sha512 } from '../crypto/crypto.ts';
import type { Door } from '../http-out/door.ts';
import { EgressDenied, EgressFailed } from '../http-out/failures.ts';
import { fetchThrough } from '../http-out/fetch.ts';
import type { ProviderFlow } from '../http/flow-cookies.ts';
import { openBreaker } from './breaker.ts';
import { claimAt } from './claims.ts';
import { openKeys } from './keys.ts';
import { openLogoutTokens } from './logout-token.ts';
import type { Logout } from './logout-token.ts';
import { algorithmsOf, readMetadata } from './metadata.ts';
import type { Metadata } from './metadata.ts';
import type { Client, Provider } from './providers.ts';
import { challengeOf } from './flow.ts';

/** The exchange with a provider: where to send the browser, and who came back. */

/** The provider did not answer in time, or its breaker is open. */
export class ProviderAway extends Error {}

/** A provider's answer that is rejected; `code` is for the log. */
export class BadAnswer extends Error {
  readonly code: string;
  /** Why the provider or its settings are the cause; undefined if it may be the browser or the user. */
  readonly outage: OutageReason | undefined;
  constructor(code: string, cause?: unknown, outage?: OutageReason) {
    super(`The answer of the provider is not accepted: ${code}`, { cause });
    this.code = code;
    this.outage = outage;
  }
}

/** Claims about a person, from the ID token, completed by those of userinfo. */
export type Claims = Readonly<Record<string, unknown>> & { sub: string };

const seconds = 10;
const maxBytes = 200_000;
/** The accepted difference in seconds between the clocks of provider and service. */
const tolerance = 60;
const nowSeconds = () => Math.floor(Date.now() / 1_000);

function authenticationOf(how: Provider['client_auth'], secret: Client['secret']): ClientAuth {
  if (typeof secret !== 'string') return PrivateKeyJwt(secret);
  return how === 'client_secret_post' ? ClientSecretPost(secret) : ClientSecretBasic(secret);
}

function configurationOf({ provider, secret }: Client, fetchIt: typeof fetch): Configuration {
  const { client_id, client_auth, metadata } = provider;
  const configuration = new Configuration(
    // never none or HMAC, whatever the provider offers
    { ...metadata, id_token_signing_alg_values_supported: algorithmsOf(metadata) } as ConstructorParameters<
      typeof Configuration
    >[0],
    client_id,
    { [clockTolerance]: tolerance },
    authenticationOf(client_auth, secret),
  );
  configuration[customFetch] = (url, { body = null, ...options }) => fetchIt(url, { ...options, body } as RequestInit);
  configuration.timeout = seconds;
  // without this, the signature of a token received over TLS is not checked
  enableNonRepudiationChecks(configuration);
  return configuration;
}

/** A provider's error code as in the standards; it comes through the browser, which could write any text. */
const errorCode = /^[a-z_]{1,60}$/;

type Failure = { code?: string; error?: string; status?: number; cause?: { claim?: string } };

/** Errors of a provider that does not know the service by these settings. */
const ofSettings = new Set(['invalid_client', 'unauthorized_client', 'unsupported_grant_type', 'invalid_scope']);

/**
 * Why the provider or its settings caused a failure. Until the provider itself was contacted (`isAsked`), everything
 * came through the browser, which could write anything, such as a code that is unknown to the provider or from another
 * sign-in.
 */
function outageOf({ code, error: named, cause }: Failure, isAsked: boolean): OutageReason | undefined {
  if (!isAsked || cause?.claim === 'nonce') return undefined;
  if (named !== undefined) return ofSettings.has(named) ? 'refused' : undefined;
  return code === 'OAUTH_WWW_AUTHENTICATE_CHALLENGE' ? 'refused' : 'answer';
}

/** Why an answer was rejected; an unreachable provider counts for its breaker. */
function failureOf(error: unknown, isAsked: boolean): Error {
  for (let cause: unknown = error; cause instanceof Error; cause = cause.cause) {
    if (cause instanceof EgressFailed) return new ProviderAway(cause.code, { cause: error });
    if (cause instanceof EgressDenied) return new BadAnswer('egress_denied', error, 'away');
    if (cause.name === 'TimeoutError') return new ProviderAway('timeout', { cause: error });
  }
  const failure = error as Failure;
  const { code, error: named, status } = failure;
  if (status !== undefined && status >= 500) return new ProviderAway(`status ${status}`, { cause: error });
  const said = named !== undefined && errorCode.test(named) ? named : (code ?? 'unknown');
  return new BadAnswer(said, error, outageOf(failure, isAsked));
}

const notBelieved = (code: string) => new BadAnswer(code, undefined, 'answer');

/** The checks of an ID token that the library leaves to its caller. */
function checkClaims(claims: IDToken, { client_id }: Provider, tokens: { id_token?: string; access_token: string }) {
  if (claims.azp !== undefined && claims.azp !== client_id) throw notBelieved('azp');
  if (claims.iat > nowSeconds() + tolerance) throw notBelieved('iat');
  const { at_hash } = claims;
  if (at_hash === undefined) return;
  const [header = ''] = (tokens.id_token ?? '').split('.');
  const { alg } = JSON.parse(Buffer.from(header, 'base64url').toString()) as { alg: string };
  const digest = alg.startsWith('Ed') ? sha512(tokens.access_token) : sha256(tokens.access_token);
  const half = digest.subarray(0, digest.length / 2).toString('base64url');
  if (typeof at_hash !== 'string' || !equal(at_hash, half)) throw notBelieved('at_hash');
}

/** The response. `wanted`: groups of claims; userinfo is queried if the ID token lacks one of a group. */
type Answer = { url: URL; wanted: readonly (readonly string[])[] };

/** The user must sign in again, even with an existing session at the provider. */
const askedAnew = { prompt: 'login', max_age: '0' };
/** Ten years, so no sign-in is too old; but `max_age` makes a provider return `auth_time`. A test shows if it does. */
const askedSince = { max_age: '315360000' };

/** The parameters of the request; `isAgeAsked`: a sign-in counts as proof of identity. */
const requestOf = (flow: ProviderFlow, isAgeAsked: boolean) => ({
  response_mode: 'query',
  state: flow.state,
  nonce: flow.nonce,
  code_challenge: challengeOf(flow.verifier),
  code_challenge_method: 'S256',
  ...(flow.kind === 'step_up' && askedAnew),
  ...((flow.kind === 'test' || (flow.kind === 'sign_in' && isAgeAsked)) && askedSince),
});

export type OpenId = {
  /** The content of a provider's logout token; undefined for any other text. */
  readLogout: (provider: Pick<Provider, 'client_id' | 'metadata'>, token: string) => Promise<Logout | undefined>;
  /** The discovery document of an issuer. Throws 422 on `issuer`. */
  discover: (issuer: string) => Promise<Metadata>;
  /** Where the browser goes to sign in. */
  authorizationUrl: (client: Client, flow: ProviderFlow, returnAddress: string) => string;
  /** Redeems the code of an answer and returns who signed in. Throws `BadAnswer` or `ProviderAway`. */
  redeem: (client: Client, flow: ProviderFlow, answer: Answer) => Promise<Claims>;
};

/** Caches each provider's keys and its number of failures; everything else is in the database. */
export function openOpenId(door: Door, { STEP_UP_MINUTES }: Pick<Config, 'STEP_UP_MINUTES'>): OpenId {
  const fetchIt = fetchThrough(door, { maxBytes, timeoutMs: seconds * 1_000 });
  const keys = openKeys();
  const breaker = openBreaker();

  async function redeemOnce(
    { provider, secret }: Client,
    flow: ProviderFlow,
    { url, wanted, fetchIt: asking }: Answer & { fetchIt: typeof fetch },
  ): Promise<Claims> {
    const { jwks_uri } = provider.metadata;
    const configuration = configurationOf({ provider, secret }, asking);
    keys.give(configuration, jwks_uri);
    const tokens = await authorizationCodeGrant(configuration, url, {
      expectedState: flow.state,
      expectedNonce: flow.nonce,
      pkceCodeVerifier: flow.verifier,
      idTokenExpected: true,
    }).finally(() => keys.take(configuration, jwks_uri));
    const claims = tokens.claims();
    if (!claims) throw notBelieved('no_id_token');
    checkClaims(claims, provider, tokens);
    const lacking = wanted.filter((group) => group.some((name) => claimAt(claims, name) === undefined));
    if (lacking.length === 0 || !provider.metadata.userinfo_endpoint) return claims;
    const more = await fetchUserInfo(configuration, tokens.access_token, claims.sub);
    // an address and its verification must come from the same token, or one would vouch for the other
    const taken = lacking.filter(([first = '']) => claimAt(more, first) !== undefined).flat();
    return { name: more.name, ...claims, ...Object.fromEntries(taken.map((name) => [name, claimAt(more, name)])) };
  }

  return {
    readLogout: openLogoutTokens(fetchIt),
    discover: (issuer) => readMetadata(door, issuer),
    authorizationUrl: (client, flow, returnAddress) =>
      buildAuthorizationUrl(configurationOf(client, fetchIt), {
        redirect_uri: returnAddress,
        scope: client.provider.scopes.join(' '),
        ...requestOf(flow, STEP_UP_MINUTES > 0),
      }).href,
    redeem: async (client, flow, answer) => {
      const { id } = client.provider;
      if (breaker.isOpen(id)) throw new ProviderAway('breaker');
      let isAsked = false;
      const asking: typeof fetch = (...sent) => {
        isAsked = true;
        return fetchIt(...sent);
      };
      try {
        const claims = await redeemOnce(client, flow, { ...answer, fetchIt: asking });
        breaker.worked(id);
        return claims;
      } catch (error) {
        const failure = error instanceof BadAnswer ? error : failureOf(error, isAsked);
        if (failure instanceof ProviderAway) breaker.failed(id);
        else breaker.worked(id);
        throw failure;
      }
    },
  };
}
