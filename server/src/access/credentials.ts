import { sql } from 'kysely';
import { record } from '../audit.ts';
import type { Db } from '../db/connect.ts';
import { notifyPasswordVoided } from '../notifications/account.ts';
import { coveredAccounts } from './cover.ts';
import { loadHolder } from './rights.ts';
import { endSessionsOf } from './sessions.ts';

/**
 * Passwords that somebody else may know: one-time passwords, and those chosen in sessions that began with one. They are
 * good as long as whoever issued them may do all that the account may.
 */

type Voided = { id: number; person: string; entity_id: number | null };

/**
 * Voids the passwords of accounts and ends their sessions: each needs another one-time password or link. The people,
 * those who can help them and the administrators are notified.
 */
export async function voidCredentials(db: Db, userIds: readonly number[], reason: string): Promise<void> {
  if (userIds.length === 0) return;
  await endSessionsOf(db, userIds, reason);
  const { rows } = await sql<Voided>`
    update users u
    set password_hash = null, one_time_password = false, must_change_password = false, password_expires_at = null,
        password_issued_by = null, updated_at = now()
    where u.id = any(${userIds}::bigint[]) and u.password_hash is not null
    returning u.id, coalesce((select name from employees where user_id = u.id), u.email) as person,
              (select entity_id from employees where user_id = u.id)`.execute(db);
  await record(
    { db, actor: null },
    ...rows.map(({ id, person, entity_id }) => ({
      action: 'account.password_voided' as const,
      subject_id: id,
      subject_label: person,
      entity_id,
      reason,
    })),
  );
  await notifyPasswordVoided(
    db,
    rows.map(({ id }) => id),
  );
}

/** Those of the accounts that the issuer of their password covers today; nobody by an issuer who may not sign in. */
async function coveredByIssuer(db: Db, issuerId: number, userIds: readonly number[]): Promise<ReadonlySet<number>> {
  const issuer = await loadHolder(db, issuerId);
  return issuer ? coveredAccounts(db, issuer, userIds) : new Set();
}

type Issued = { id: number; issuer: number };

/**
 * Voids the passwords that somebody else may know and whose issuer does not cover the account. The statements are as
 * many as there are issuers, however many accounts.
 */
async function voidBeyondIssuers(db: Db, issued: readonly Issued[], reason: string): Promise<void> {
  const beyond: number[] = [];
  for (const [issuer, some] of Map.groupBy(issued, (one) => one.issuer)) {
    const ids = some.map(({ id }) => id);
    const covered = await coveredByIssuer(db, issuer, ids);
    beyond.push(...ids.filter((id) => !covered.has(id)));
  }
  await voidCredentials(db, beyond, reason);
}

/** The accounts may do more than before: their sessions end, and passwords that somebody else may know who may not. */
export async function settleGrowth(db: Db, userIds: readonly number[]): Promise<void> {
  if (userIds.length === 0) return;
  await endSessionsOf(db, userIds, 'more rights');
  const { rows } = await sql<Issued>`
    select id, password_issued_by as issuer from users
    where id = any(${userIds}::bigint[]) and password_issued_by is not null and password_hash is not null`.execute(db);
  await voidBeyondIssuers(db, rows, 'The account may do more than who issued its password.');
}

/** A sign-in with a right password: whether it is a one-time one, and whether the account manages others. */
export type Used = { id: number; issuer: number | null; is_one_time: boolean; is_manager: boolean };

/**
 * Judges the password of a sign-in as it is today: whom somebody manages changes every day, which ends no sessions. A
 * one-time password is worth what its issuer may do now. One that was chosen after it outlives the rights of an issuer
 * who has left, so that nobody who is employed loses the own password by that.
 * @returns false for a password that is void from now on
 */
export async function isStillGood(db: Db, { id, issuer, is_one_time, is_manager }: Used): Promise<boolean> {
  if (issuer === null || (!is_one_time && !is_manager)) return true;
  const holder = await loadHolder(db, issuer);
  if (!holder && !is_one_time) return true;
  if (holder && (await coveredAccounts(db, holder, [id])).has(id)) return true;
  await voidCredentials(db, [id], 'The account may do more than who issued its password.');
  return false;
}
