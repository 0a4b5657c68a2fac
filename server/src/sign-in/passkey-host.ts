import { isIP } from 'node:net';
import type { PasskeyRequest } from '@tenure/contract';
import type { CredentialId } from '../access/passkeys.ts';
import type { Config } from '../config.ts';
import { flowSeconds } from '../http/flow-cookies.ts';

/** What passkeys belong to: browsers offer them to the pages of these origins. */
export type PasskeyHost = { rp_id: string; origins: string[] };

/** Browsers offer passkeys to pages over TLS, and on their own machine. */
const isSecure = ({ protocol, hostname }: URL) =>
  protocol === 'https:' || hostname === 'localhost' || hostname.endsWith('.localhost');

/** The host for an installation's passkeys; null if browsers allow none: for IP addresses and over http. */
export function passkeyHost({ APP_URL, FRONTEND_URL, SESSION_DOMAIN }: Config): PasskeyHost | null {
  const app = new URL(APP_URL);
  const rp_id = SESSION_DOMAIN?.replace(/^\./, '') ?? app.hostname;
  if (isIP(app.hostname) !== 0 || app.hostname.startsWith('[')) return null;
  const origins = [...new Set([app.origin, ...FRONTEND_URL])].filter((origin) => {
    const url = new URL(origin);
    return isSecure(url) && (url.hostname === rp_id || url.hostname.endsWith(`.${rp_id}`));
  });
  return origins.length === 0 ? null : { rp_id, origins };
}

/** Milliseconds that a browser waits for a passkey. */
export const passkeyTimeout = flowSeconds * 1_000;

/** The passkeys that a browser should use or exclude. */
export const descriptorsOf = (credentials: readonly CredentialId[]): PasskeyRequest['allowCredentials'] =>
  credentials.map(({ id, transports }) => ({ id, type: 'public-key', ...(transports && { transports }) }));

/** The options with which a browser requests a passkey; without `credentials`, any for this host. */
export const requestOf = (
  { rp_id }: PasskeyHost,
  challenge: string,
  credentials: readonly CredentialId[] = [],
): PasskeyRequest => ({
  challenge,
  timeout: passkeyTimeout,
  rpId: rp_id,
  allowCredentials: descriptorsOf(credentials),
  // a biometric or PIN in addition to the device, and so two factors at once
  userVerification: 'required',
});
