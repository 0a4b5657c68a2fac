import { text } from '@tenure/contract';
import { sql } from 'kysely';
import type { Actor } from '../../../access/actor.ts';
import { endAccessOf } from '../../../access/api-tokens.ts';
import type { HashPool } from '../../../crypto/hash-pool.ts';
import { oneTimePassword } from '../../../crypto/one-time-password.ts';
import type { PasswordContext } from '../../../crypto/password-rules.ts';
import type { Db } from '../../../db/connect.ts';
import { invalid } from '../../../http/errors.ts';
import { demandedProviders } from '../../../access/demanded-providers.ts';

export type IssuedPassword = { one_time_password: string; expires_at: string };

const validHours = 72;

/** When a one-time password of the account `u` becomes valid: now, or on the first day without early access. */
const begins = sql`greatest(now(), (
  select e.joining_date::timestamp at time zone c.timezone from employees e join entities c on c.id = e.entity_id
  where e.user_id = u.id and e.activity_status = 'joining' and not e.early_access))`;

/** A generated one-time password with the hash to store. */
export type Prepared = { user_id: number; one_time_password: string; password_hash: string };

/** Generates a one-time password that satisfies the rules for this person; stores nothing yet. */
export async function prepareOneTimePassword(
  hashing: HashPool,
  userId: number,
  context: PasswordContext,
): Promise<Prepared> {
  const password = oneTimePassword(context);
  return { user_id: userId, one_time_password: password, password_hash: await hashing.hash(password) };
}

/** Refuses a password that would be useless: its person signs in through a provider, or with passkeys only. */
async function refuseUseless(db: Db, userIds: readonly number[]): Promise<void> {
  const { rows } = await sql<{ provider: string | null }>`
    select ${demandedProviders} as provider from users u
    where u.id = any(${userIds}::bigint[]) and (not u.password_sign_in or demanded_providers(u.id) is not null)
    limit 1`.execute(db);
  if (!rows[0]) return;
  const { provider } = rows[0];
  throw invalid(
    'issue_password',
    provider === null ? text('account.passkeys_only') : text('account.signs_in_through', { provider }),
  );
}

/**
 * Stores prepared one-time passwords: each replaces the current password and ends all sessions of its account. It is
 * valid for one sign-in within 72 hours, for later joiners from the first day. Returns the expiry by account.
 */
export async function storeOneTimePasswords(
  db: Db,
  issuer: Pick<Actor, 'user_id'>,
  prepared: readonly Prepared[],
): Promise<Map<number, string>> {
  await refuseUseless(
    db,
    prepared.map((one) => one.user_id),
  );
  await endAccessOf(
    db,
    prepared.map((one) => one.user_id),
    'password reset',
  );
  const { rows } = await sql<{ id: number; expires_at: string }>`
    update users u
    set password_hash = new.password_hash, one_time_password = true, must_change_password = true,
        password_issued_by = ${issuer.user_id}, password_unused = false,
        password_expires_at = ${begins} + make_interval(hours => ${validHours}), updated_at = now()
    from unnest(${prepared.map((one) => one.user_id)}::bigint[],
                ${prepared.map((one) => one.password_hash)}::text[]) as new (user_id, password_hash)
    where u.id = new.user_id
    returning u.id, u.password_expires_at as expires_at`.execute(db);
  return new Map(rows.map((row) => [row.id, row.expires_at]));
}

/**
 * Issues a one-time password: shown once, stored hashed, valid for one sign-in within 72 hours, after which the user
 * must change it. Ends all sessions of the account.
 */
export async function issueOneTimePassword(
  db: Db,
  { hashing, issuer }: { hashing: HashPool; issuer: Pick<Actor, 'user_id'> },
  userId: number,
  context: PasswordContext,
): Promise<IssuedPassword> {
  const prepared = await prepareOneTimePassword(hashing, userId, context);
  const expires_at = (await storeOneTimePasswords(db, issuer, [prepared])).get(userId);
  if (!expires_at) throw new Error(`no user ${userId}`);
  return { one_time_password: prepared.one_time_password, expires_at };
}
