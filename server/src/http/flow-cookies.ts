import type { Config } from '../config.ts';
import { openFlow, sealFlow } from '../crypto/flow-cookie.ts';
import type { FlowKind } from '../crypto/flow-cookie.ts';
import type { KeyRing } from '../crypto/keys.ts';
import { flowCookie, setCookie } from './cookies.ts';

/** How a sign-in through a provider continues after the second factor. */
export type ThroughProvider = {
  provider_id: number;
  sid: string | null;
  /** For the previous release, which does not look it up. */
  max_hours: number | null;
  /** When the sign-in began, by the database's clock: a later sign-out ends it. */
  since?: string;
};

/** A sign-in with a correct password, or through a provider, that still needs the second factor. */
export type PendingStep = {
  /** A random id under which its tries are counted. */
  id: string;
  user_id: number;
  /** The session epoch of the account: whatever ends its sessions ends this flow too. */
  epoch: number;
  global_epoch: number;
  /** The provider that the user came through, instead of a password. */
  through?: ThroughProvider;
  /** The challenge for a passkey, once its options were requested. */
  challenge?: string;
};

/** The challenge for a passkey, and its purpose. */
export type PasskeyFlow = {
  purpose: 'add' | 'sign_in' | 'step_up' | 'link';
  /** The account; null for a sign-in, where the passkey identifies the account. */
  user_id: number | null;
  challenge: string;
};

/** A flow started at a single sign-on provider. */
export type ProviderFlow = {
  /** `link`: adds the provider to a signed-in account; `test`: tries it; `step_up`: proves the user's identity. */
  kind: 'sign_in' | 'link' | 'test' | 'step_up';
  provider_id: number;
  /** The account to link, or that of the user who tests. */
  user_id: number | null;
  state: string;
  nonce: string;
  /** The PKCE verifier. */
  verifier: string;
  /** A path in the browser application. */
  next: string | null;
  /** When it began, in Unix seconds. */
  began: number;
  /** The same by the database's clock: a later sign-out at the provider ends a sign-in. */
  since?: string | undefined;
};

/** The content of each kind of flow. */
export interface Flows {
  second_factor: PendingStep;
  sso: ProviderFlow;
  passkey: PasskeyFlow;
}

/** The most seconds that a flow may take. */
export const flowSeconds = 600;

const nowSeconds = () => Math.floor(Date.now() / 1_000);

/**
 * Reads and writes the cookies of sign-ins that take several requests. A browser has one flow and one passkey challenge
 * at a time; the newest counts. The cookie alone opens nothing, and none of it is stored.
 */
export function openFlowCookies(config: Config, ring: KeyRing) {
  const { host } = new URL(config.APP_URL);
  const placeOf = (kind: FlowKind) => ({ kind, scope: { cookieName: flowCookie(config, kind), host } });

  const opened = ({ flows }: { flows: readonly string[] }, kind: FlowKind) =>
    flows.map((value) => openFlow(ring, placeOf(kind), value, nowSeconds())).find((one) => one !== null);

  /** The content of a flow of this kind; null if there is none, or it took too long. */
  const flowOf = <K extends keyof Flows>(cookies: { flows: readonly string[] }, kind: K): Flows[K] | null =>
    // only the service seals, and the kind is authenticated with the content
    (opened(cookies, kind)?.flow as Flows[K] | undefined) ?? null;

  /** The cookie that starts a flow and replaces an earlier one. */
  const beginFlow = <K extends keyof Flows>(kind: K, flow: Flows[K]) =>
    setCookie(
      config,
      flowCookie(config, kind),
      sealFlow(ring, placeOf(kind), flow, nowSeconds() + flowSeconds),
      flowSeconds,
    );

  /** The cookie of a flow with new content and the same expiry. */
  function continueFlow<K extends keyof Flows>(cookies: { flows: readonly string[] }, kind: K, flow: Flows[K]): string {
    const until = opened(cookies, kind)?.until ?? nowSeconds();
    const sealed = sealFlow(ring, placeOf(kind), flow, until);
    return setCookie(config, flowCookie(config, kind), sealed, Math.max(0, until - nowSeconds()));
  }

  /** The cookie that ends flows of this kind. */
  const endFlow = (kind: FlowKind) => setCookie(config, flowCookie(config, kind), '', 0);
  /** The cookies that end every flow of the browser. */
  const endFlows = ({ flows }: { flows: readonly string[] }) =>
    flows.length > 0 ? [endFlow('sso'), endFlow('passkey')] : [];
  return { flowOf, beginFlow, continueFlow, endFlow, endFlows };
}
