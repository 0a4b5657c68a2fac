import { sql } from 'kysely';
import type { RawBuilder, SqlBool } from 'kysely';
import { sha256Hex } from '../crypto/crypto.ts';
import type { Db } from '../db/connect.ts';
import { flowSeconds } from '../http/flow-cookies.ts';
import type { ThroughProvider } from '../http/flow-cookies.ts';

/** Sign-outs at a provider, so that they end sign-ins in progress, which only exist in a cookie. */

/** The purposes under which a provider's signed-out sessions and subjects are stored. */
const purposes = { sid: 'sso_ended_sid', sub: 'sso_ended_sub' } as const;
type Purpose = keyof typeof purposes;
const hashOf = (providerId: number, id: string): string => sha256Hex(`${providerId} ${id}`);

/** Longer than a sign-in may take. */
const kept = sql`make_interval(secs => ${2 * flowSeconds})`;

/** Serialises sign-ins and sign-outs of a provider's session or subject until the end of the transaction. */
export const lockSubject = (db: Db, providerId: number, id: string) =>
  sql`select pg_advisory_xact_lock(hashtextextended(${hashOf(providerId, id)}, 0))`.execute(db);

/** Records that a session or subject was signed out, for the sign-ins in progress. */
export async function keepEnded(db: Db, providerId: number, purpose: Purpose, id: string): Promise<void> {
  await lockSubject(db, providerId, id);
  // the current time, not that of the transaction: a sign-in may have begun while this one waited
  await sql`
    insert into used_once (purpose, hash, expires_at)
    values (${purposes[purpose]}, ${hashOf(providerId, id)}, clock_timestamp() + ${kept})
    on conflict (purpose, hash) do update set expires_at = excluded.expires_at`.execute(db);
}

/** When a subject was signed out, if only just now, because a link that is created now was not there to be ended. */
export const subjectEndedAt = (providerId: number, subject: string): RawBuilder<string | null> => sql`(
  select o.expires_at - ${kept} from used_once o
  where o.purpose = ${purposes.sub} and o.hash = ${hashOf(providerId, subject)})`;

/**
 * True as long as the user has been signed in at the provider since the sign-in began; for an update of `users`. A
 * logout there is committed and seen, or waits for the end of this transaction and ends its session.
 */
export function staysSignedIn({ provider_id, sid, since }: ThroughProvider): RawBuilder<SqlBool> {
  // from the previous release, which sends no time
  const moment = since === undefined ? sql`'infinity'::timestamptz` : sql`${since}::timestamptz(3)`;
  const hash = sid === null ? null : hashOf(provider_id, sid);
  return sql<SqlBool>`still_signed_in(${provider_id}, users.id, ${hash}, ${moment}, ${kept})`;
}

/** True if neither the provider `p` nor the link `n` nor the session there ended since the sign-in began. */
export function isStillSignedIn({ provider_id, sid, since }: ThroughProvider): RawBuilder<SqlBool> {
  // from the previous release, which sends no time
  if (since === undefined) return sql<SqlBool>`true`;
  const came = sql`${since}::timestamptz(3)`;
  return sql<SqlBool>`(
    (p.signed_out_at >= ${came}) is not true and (n.signed_out_at >= ${came}) is not true
    and not exists (
      select from used_once o
      where o.purpose = ${purposes.sid} and o.hash = ${sid === null ? null : hashOf(provider_id, sid)}
        and o.expires_at - ${kept} >= ${came}))`;
}
