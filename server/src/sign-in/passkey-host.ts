import { isIP } from 'node:net';
import type { PasskeyRequest } from '@tenure/contract';
import type { CredentialId } from '../access/passkeys.ts';
import type { Config } from '../config.ts';
import { flowSeconds } from '../http/flow-cookies.ts';

/** Where passkeys belong to: browsers offer them to the pages of these origins. */
export type PasskeyHost = { rp_id: string; origins: string[] };

/** Browsers offer passkeys to pages over TLS, and to those of the own machine. */
const isSecure = ({ protocol, hostname }: URL) =>
  protocol === 'https:' || hostname === 'localhost' || hostname.endsWith('.localhost');

/** The host of the passkeys of an installation; null where browsers allow none: at an address literal and over http. */
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

/** Milliseconds a browser waits for a passkey. */
export const passkeyTimeout = flowSeconds * 1_000;

/** Which passkeys a browser is to use or to leave out. */
export const descriptorsOf = (credentials: readonly CredentialId[]): PasskeyRequest['allowCredentials'] =>
  credentials.map(({ id, transports }) => ({ id, type: 'public-key', ...(transports && { transports }) }));

/** The options of a browser to ask a passkey; without `credentials`, any of this host. */
export const requestOf = (
  { rp_id }: PasskeyHost,
  challenge: string,
  credentials: readonly CredentialId[] = [],
): PasskeyRequest => ({
  challenge,
  timeout: passkeyTimeout,
  rpId: rp_id,
  allowCredentials: descriptorsOf(credentials),
  // what the person is or knows, beside the device: two factors at once
  userVerification: 'required',
});
