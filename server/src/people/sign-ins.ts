import { text } from '@tenure/contract';
import { sql } from 'kysely';
import type { Actor } from '../access/actor.ts';
import { endSessionsOf } from '../access/sessions.ts';
import type { Db } from '../db/connect.ts';
import { invalid } from '../http/errors.ts';
import { notifyAddressChanged } from '../notifications/account.ts';
import { changeAddresses, giveAccounts, removeAccounts } from './row-write.ts';

/**
 * A person's email address is their sign-in. The first address creates the account, another one changes it, and without
 * an address there is no account. A used account stays, because decisions and audit entries refer to it.
 */

export type AddressChange = { id: number; user_id: number | null; from: string | null; to: string | null };
type Moved = { user_id: number; from: string; to: string };
type Doing = { db: Db; actor: Pick<Actor, 'is_admin' | 'user_id' | 'name'> };

/** PostgreSQL's error code for a row that others refer to. */
const referenced = '23503';

/** The refusal to clear an address with which the person has signed in. */
export const addressInUse = text('employees.address_in_use');

/** Those of the accounts that were used. */
export async function usedAccounts(db: Db, accounts: readonly (number | null)[]): Promise<ReadonlySet<number>> {
  const ids = accounts.filter((id) => id !== null);
  if (ids.length === 0) return new Set();
  const { rows } = await sql<{ id: number }>`
    select u.id from users u
    where u.id = any(${ids}::bigint[])
      and (u.last_login_at is not null or exists (select from session_register s where s.user_id = u.id))`.execute(db);
  return new Set(rows.map(({ id }) => id));
}

async function take(db: Db, by: Doing['actor'], accounts: readonly number[]): Promise<void> {
  // a simultaneous sign-in comes before or after
  await sql`select from users where id = any(${accounts}::bigint[]) order by id for update`.execute(db);
  const used = await usedAccounts(db, accounts);
  if (used.size > 0) throw invalid('email', addressInUse);
  await removeAccounts(db, by, accounts).catch((error: unknown) => {
    // a decision or a file refers to the account
    if ((error as { code?: string }).code === referenced) throw invalid('email', addressInUse);
    throw error;
  });
}

async function move(doing: Doing, moved: readonly Moved[]): Promise<void> {
  const { db, actor } = doing;
  await changeAddresses(
    db,
    actor,
    moved.map(({ user_id, to }) => ({ user_id, email: to })),
  );
  await endSessionsOf(
    db,
    moved.map(({ user_id }) => user_id),
    'e-mail changed',
  );
  await notifyAddressChanged(doing, moved);
}

/**
 * Gives, changes and removes addresses together with their accounts. People whose address changes are notified at both.
 * Throws 422 if an account to remove was used. Returns the new accounts by person.
 */
export async function setAddresses(
  doing: Doing,
  changes: readonly AddressChange[],
): Promise<ReadonlyMap<number, number>> {
  const taken = changes.flatMap(({ user_id, to }) => (user_id !== null && to === null ? [user_id] : []));
  const moved = changes.flatMap(({ user_id, from, to }) =>
    user_id !== null && from !== null && to !== null ? [{ user_id, from, to }] : [],
  );
  const given = changes.flatMap(({ id, user_id, to }) => (user_id === null && to !== null ? [{ id, email: to }] : []));
  if (taken.length > 0) await take(doing.db, doing.actor, taken);
  if (moved.length > 0) await move(doing, moved);
  return given.length > 0 ? giveAccounts(doing.db, doing.actor, given) : new Map();
}
