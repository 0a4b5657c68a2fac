import { randomToken, sha256 } from '../crypto/crypto.ts';
import type { ProviderFlow } from '../http/flow-cookies.ts';

/** A new flow with its own random values. */
export const newFlow = (
  fields: Pick<ProviderFlow, 'kind' | 'provider_id' | 'user_id' | 'next' | 'since'>,
): ProviderFlow => ({
  ...fields,
  began: Math.floor(Date.now() / 1_000),
  state: randomToken(32),
  nonce: randomToken(32),
  verifier: randomToken(32),
});

/** The challenge for a PKCE verifier (RFC 7636, S256). */
export const challengeOf = (verifier: string): string => sha256(verifier).toString('base64url');
