import type { Config } from '../config.ts';
import { openFlow, sealFlow } from '../crypto/flow-cookie.ts';
import type { FlowKind } from '../crypto/flow-cookie.ts';
import type { KeyRing } from '../crypto/keys.ts';
import { flowCookie, setCookie } from './cookies.ts';

/** How a sign-in through a provider goes on once the second factor is there. */
export type ThroughProvider = {
  provider_id: number;
  sid: string | null;
  /** For the release before, which does not ask the provider again. */
  max_hours: number | null;
  /** When the sign-in began, by the clock of the database: a sign-out after that ends it. */
  since?: string;
};

/** A sign-in with a right password, or through a provider, that waits for the second factor. */
export type PendingStep = {
  /** A random name, under which its tries are counted. */
  id: string;
  user_id: number;
  /** The session epoch of the account: whatever ends its sessions ends this too. */
  epoch: number;
  global_epoch: number;
  /** The provider that the person came through, in place of a password. */
  through?: ThroughProvider;
  /** What a passkey is to answer, once its options were asked for. */
  challenge?: string;
};

/** What a passkey is to answer, and what for. */
export type PasskeyFlow = {
  purpose: 'add' | 'sign_in' | 'step_up' | 'link';
  /** The account; null for a sign-in, where the passkey says whose it is. */
  user_id: number | null;
  challenge: string;
};

/** What was begun at a provider of single sign-on. */
export type ProviderFlow = {
  /** `link`: to add the provider to an account that is signed in; `test`: to try it; `step_up`: to prove who is there. */
  kind: 'sign_in' | 'link' | 'test' | 'step_up';
  provider_id: number;
  /** The account of a link, or of who tries. */
  user_id: number | null;
  state: string;
  nonce: string;
  /** The verifier of PKCE. */
  verifier: string;
  /** A path of the browser application. */
  next: string | null;
  /** When it began, in seconds since 1970. */
  began: number;
  /** The same by the clock of the database: a sign-out at the provider after that ends a sign-in. */
  since?: string | undefined;
};

/** What the flows hold; each kind is a line. */
export interface Flows {
  second_factor: PendingStep;
  sso: ProviderFlow;
  passkey: PasskeyFlow;
}

/** Seconds a flow may take. */
export const flowSeconds = 600;

const nowSeconds = () => Math.floor(Date.now() / 1_000);

/**
 * Reads and writes the cookies of sign-ins that take more than one request. A browser has one flow at a time, and one
 * challenge of a passkey: the newest counts. The cookie alone opens nothing, and nothing of it is stored.
 */
export function openFlowCookies(config: Config, ring: KeyRing) {
  const { host } = new URL(config.APP_URL);
  const placeOf = (kind: FlowKind) => ({ kind, scope: { cookieName: flowCookie(config, kind), host } });

  const opened = ({ flows }: { flows: readonly string[] }, kind: FlowKind) =>
    flows.map((value) => openFlow(ring, placeOf(kind), value, nowSeconds())).find((one) => one !== null);

  /** What a flow of this kind holds; null where there is none, or it took too long. */
  const flowOf = <K extends keyof Flows>(cookies: { flows: readonly string[] }, kind: K): Flows[K] | null =>
    // only the service seals, and the kind is part of what is authenticated
    (opened(cookies, kind)?.flow as Flows[K] | undefined) ?? null;

  /** The cookie that begins a flow, in place of an earlier one. */
  const beginFlow = <K extends keyof Flows>(kind: K, flow: Flows[K]) =>
    setCookie(
      config,
      flowCookie(config, kind),
      sealFlow(ring, placeOf(kind), flow, nowSeconds() + flowSeconds),
      flowSeconds,
    );

  /** The cookie of a flow that holds more now, and ends when it would have ended. */
  function continueFlow<K extends keyof Flows>(cookies: { flows: readonly string[] }, kind: K, flow: Flows[K]): string {
    const until = opened(cookies, kind)?.until ?? nowSeconds();
    const sealed = sealFlow(ring, placeOf(kind), flow, until);
    return setCookie(config, flowCookie(config, kind), sealed, Math.max(0, until - nowSeconds()));
  }

  /** The cookie that ends flows of this kind. */
  const endFlow = (kind: FlowKind) => setCookie(config, flowCookie(config, kind), '', 0);
  /** The cookies that end every flow that a browser has begun. */
  const endFlows = ({ flows }: { flows: readonly string[] }) =>
    flows.length > 0 ? [endFlow('sso'), endFlow('passkey')] : [];
  return { flowOf, beginFlow, continueFlow, endFlow, endFlows };
}
