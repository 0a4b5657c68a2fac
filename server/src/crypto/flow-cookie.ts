import type { KeyRing } from './keys.ts';
import { openText, sealText } from './sealed-text.ts';
import type { Context, CookieScope } from './sealed-text.ts';

/** What a sign-in of several requests waits for. A cookie sealed for one kind opens as no other. */
export type FlowKind = 'second_factor' | 'passkey' | 'sso';

const MAX_VALUE_BYTES = 3_000;

/** Where a flow belongs: its kind, and the name and host of its cookie. */
export type FlowPlace = { kind: FlowKind; scope: CookieScope };

const contextOf =
  ({ kind, scope: { cookieName, host } }: FlowPlace): Context =>
  (kid) => ['1', 'flow', kind, cookieName, kid, host];

type Content = { until: number; flow: unknown };

/**
 * The cookie of a flow, valid until a time in Unix seconds. Its content is any JSON, which the browser cannot read.
 * Throws if the cookie would exceed 3,000 bytes.
 */
export function sealFlow(ring: KeyRing, place: FlowPlace, flow: unknown, until: number): string {
  const content: Content = { until, flow };
  const value = sealText(ring, 'flow', contextOf(place), Buffer.from(JSON.stringify(content)));
  if (value.length > MAX_VALUE_BYTES) throw new Error('The flow cookie is larger than 3,000 bytes');
  return value;
}

/** The content of an authentic, unexpired cookie of this kind, with its expiry; null otherwise. Never throws. */
export function openFlow(ring: KeyRing, place: FlowPlace, value: string, now: number): Content | null {
  const opened = openText(ring, 'flow', contextOf(place), value.length > MAX_VALUE_BYTES ? undefined : value);
  if (!opened) return null;
  const content = JSON.parse(opened.plain.toString()) as Content;
  return now < content.until ? content : null;
}
