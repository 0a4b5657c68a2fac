import { createRemoteJWKSet, customFetch, jwtVerify } from 'jose';
import type { JWTPayload } from 'jose';
import { algorithmsOf } from './metadata.ts';
import type { Provider } from './providers.ts';

/** Logout tokens (OpenID Connect Back-Channel Logout 1.0). */

export type Logout = { sub: string | null; sid: string | null; jti: string };

const event = 'http://schemas.openid.net/event/backchannel-logout';
const toleranceSeconds = 60;
const maxSecondsOld = 300;

type Keys = ReturnType<typeof createRemoteJWKSet>;

const isText = (value: unknown): value is string => typeof value === 'string' && value !== '' && value.length <= 255;
const isObject = (value: unknown) => typeof value === 'object' && value !== null && !Array.isArray(value);

/** Checks what distinguishes a logout token from other signed tokens. */
function logoutIn({ events, nonce, sub, sid, jti }: JWTPayload): Logout | undefined {
  if (nonce !== undefined || !isObject(events) || !isObject((events as Record<string, unknown>)[event]))
    return undefined;
  if (!isText(jti) || (sub !== undefined && !isText(sub)) || (sid !== undefined && !isText(sid))) return undefined;
  if (sub === undefined && sid === undefined) return undefined;
  return { sub: sub ?? null, sid: sid ?? null, jti };
}

/**
 * Checks logout tokens with the provider's keys, which are cached for ten minutes and refetched for an unknown key at
 * most once in thirty seconds. Returns undefined for an invalid token.
 */
export function openLogoutTokens(fetchIt: typeof fetch) {
  const known = new Map<string, Keys>();
  const keysOf = (address: string): Keys => {
    const keys =
      known.get(address) ??
      createRemoteJWKSet(new URL(address), {
        [customFetch]: fetchIt,
        cooldownDuration: 30_000,
        timeoutDuration: 10_000,
      });
    known.set(address, keys);
    return keys;
  };
  return async (provider: Pick<Provider, 'client_id' | 'metadata'>, token: string): Promise<Logout | undefined> => {
    const { metadata, client_id } = provider;
    try {
      const { payload, protectedHeader } = await jwtVerify(token, keysOf(metadata.jwks_uri), {
        issuer: metadata.issuer,
        audience: client_id,
        algorithms: algorithmsOf(metadata),
        clockTolerance: toleranceSeconds,
        maxTokenAge: maxSecondsOld,
        requiredClaims: ['iat', 'jti', 'events'],
      });
      const { typ } = protectedHeader;
      return typ === undefined || /^(application\/)?logout\+jwt$/i.test(typ) ? logoutIn(payload) : undefined;
    } catch {
      return undefined;
    }
  };
}
