import { sql } from 'kysely';
import type { RawBuilder, SqlBool } from 'kysely';
import { sha256Hex } from '../crypto/crypto.ts';
import type { Db } from '../db/connect.ts';
import { flowSeconds } from '../http/flow-cookies.ts';
import type { ThroughProvider } from '../http/flow-cookies.ts';

/** Sign-ins through a provider that are under way: what ends them there, as they are in a cookie only. */

/** The purpose under which a session of a provider is kept that ended there. */
export const endedSid = 'sso_ended_sid';
export const sidHash = (providerId: number, sid: string): string => sha256Hex(`${providerId} ${sid}`);

/** Longer than a sign-in may wait. */
const kept = sql`make_interval(secs => ${2 * flowSeconds})`;
/** Until when it is kept. The time of now, not of the transaction: a sign-in may have begun while this one waited. */
export const endsPending = sql`clock_timestamp() + ${kept}`;

/** Makes a sign-in of the session of a provider wait, or waits for it, until the end of the transaction. */
export const holdSid = (db: Db, providerId: number, sid: string) =>
  sql`select pg_advisory_xact_lock(hashtextextended(${sidHash(providerId, sid)}, 0))`.execute(db);

/**
 * True as long as the person is signed in at the provider since the sign-in began, for an update of the account `users`: a
 * logout there is committed and seen, or waits for the end of this transaction and ends its session.
 */
export function staysSignedIn({ provider_id, sid, since }: ThroughProvider): RawBuilder<SqlBool> {
  // of the release before, which says no time
  const moment = since === undefined ? sql`'infinity'::timestamptz` : sql`${since}::timestamptz(3)`;
  const hash = sid === null ? null : sidHash(provider_id, sid);
  return sql<SqlBool>`still_signed_in(${provider_id}, users.id, ${hash}, ${moment}, ${kept})`;
}

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
