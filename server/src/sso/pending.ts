import { sql } from 'kysely';
import type { RawBuilder, SqlBool } from 'kysely';
import { sha256Hex } from '../crypto/crypto.ts';
import { flowSeconds } from '../http/flow-cookies.ts';
import type { ThroughProvider } from '../http/flow-cookies.ts';

/** Sign-ins through a provider that wait for a second step: what ends them, as they are in a cookie only. */

/** The purpose under which a session of a provider is kept that ended there. */
export const endedSid = 'sso_ended_sid';
export const sidHash = (providerId: number, sid: string): string => sha256Hex(`${providerId} ${sid}`);

/** Longer than a sign-in may wait. */
const kept = sql`make_interval(secs => ${2 * flowSeconds})`;
/** Until when it is kept. The time of now, not of the transaction: a sign-in may have begun while this one waited. */
export const endsPending = sql`clock_timestamp() + ${kept}`;

/** True where neither the provider `p` nor the link `n` nor the session there ended since the sign-in came. */
export function isStillSignedIn({ provider_id, sid, since }: ThroughProvider): RawBuilder<SqlBool> {
  // of the release before, which says no time
  if (since === undefined) return sql<SqlBool>`true`;
  const came = sql`${since}::timestamptz(3)`;
  return sql<SqlBool>`(
    (p.signed_out_at >= ${came}) is not true and (n.signed_out_at >= ${came}) is not true
    and not exists (
      select from used_once o
      where o.purpose = ${endedSid} and o.hash = ${sid === null ? null : sidHash(provider_id, sid)}
        and o.expires_at - ${kept} >= ${came}))`;
}
