import { sql } from 'kysely';
import { record } from '../audit.ts';
import { randomBytes } from '../crypto/crypto.ts';
import type { Db } from '../db/connect.ts';
import { notifyPasswordVoided } from '../notifications/account.ts';
import { endTokensBy } from './api-tokens.ts';
import { ownReason } from '../languages/answer.ts';

/** The passkeys of accounts. */

/** A passkey as its response is verified. */
export type KnownPasskey = {
  id: number;
  user_id: number;
  public_key: Buffer;
  /** The user handle of the account in its passkeys. */
  webauthn_id: Buffer;
  email: string;
};

/** The passkey of a credential id, at this host. */
export async function findPasskey(
  db: Db,
  { id, rp_id }: { id: string; rp_id: string },
): Promise<KnownPasskey | undefined> {
  const { rows } = await sql<KnownPasskey>`
    select a.id, a.user_id, a.public_key, u.webauthn_id, u.email
    from authenticators a join users u on u.id = a.user_id
    where a.credential_id = ${Buffer.from(id, 'base64url')} and a.kind = 'passkey' and a.rp_id = ${rp_id}
      and a.confirmed_at is not null and u.webauthn_id is not null`.execute(db);
  return rows[0];
}

/**
 * Records the use of a passkey; false if its counter did not increase, because there may be a copy of it. Passkeys
 * without a counter always report 0. Of parallel calls with the same counter, only one returns true.
 */
export async function countUse(
  db: Db,
  { id }: Pick<KnownPasskey, 'id'>,
  { counter, backed_up }: { counter: number; backed_up: boolean },
): Promise<boolean> {
  const { rows } = await sql`
    update authenticators set counter = ${counter}, backed_up = ${backed_up}, last_used_at = now()
    where id = ${id} and (counter < ${counter} or counter = 0 and ${counter}::bigint = 0)
    returning 1`.execute(db);
  return rows.length > 0;
}

/** Locks a passkey of an account until the end of the transaction; false if it is gone. */
export async function lockPasskey(db: Db, id: number, userId: number): Promise<boolean> {
  const { rows } = await sql`
    select from authenticators where id = ${id} and user_id = ${userId} for key share`.execute(db);
  return rows.length > 0;
}

export type CredentialId = { id: string; transports: string[] | null };

/** The credential ids of an account's passkeys at this host. */
export async function credentialsOf(db: Db, userId: number, rpId: string): Promise<CredentialId[]> {
  const { rows } = await sql<{ credential_id: Buffer; transports: string[] | null }>`
    select credential_id, transports from authenticators
    where user_id = ${userId} and kind = 'passkey' and rp_id = ${rpId} and confirmed_at is not null
    order by id`.execute(db);
  return rows.map(({ credential_id, transports }) => ({ id: credential_id.toString('base64url'), transports }));
}

const handleBytes = 32;

/** The user handle of the account in its passkeys; created with the first passkey. */
export async function handleOf(db: Db, userId: number): Promise<Buffer> {
  const { rows } = await sql<{ webauthn_id: Buffer }>`
    update users set webauthn_id = coalesce(webauthn_id, ${randomBytes(handleBytes)}) where id = ${userId}
    returning webauthn_id`.execute(db);
  const [row] = rows;
  if (!row) throw new Error(`no user ${userId}`);
  return row.webauthn_id;
}

/**
 * After passkeys were removed: deletes recovery codes that have no factor left to replace. With the last passkey, the
 * database also voids a password that was switched off.
 */
export async function finishFactorRemoval(db: Db, userIds: readonly number[]): Promise<void> {
  await sql`
    delete from recovery_codes where user_id = any(${userIds}::bigint[])
      and not exists (select from authenticators a where a.user_id = recovery_codes.user_id and a.confirmed_at is not null)`.execute(
    db,
  );
  await sql`
    update users set access_version = access_version + 1
    where id = any(${userIds}::bigint[])`.execute(db);
}

type Began = { accounts: readonly number[]; passkeys: readonly number[]; keep?: number };

/** Ends the sessions of accounts that began with certain passkeys, except `keep`. */
export async function endSessionsWith(db: Db, { accounts, passkeys, keep }: Began): Promise<void> {
  await sql`
    update session_register set revoked_at = now(), reason = 'passkey removed'
    where user_id = any(${accounts}::bigint[]) and authenticator_id = any(${passkeys}::bigint[])
      and revoked_at is null and id is distinct from ${keep ?? null}::bigint`.execute(db);
}

/** The accounts whose user switched the password off. */
async function withoutPassword(db: Db, accounts: readonly number[]): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select id from users where id = any(${accounts}::bigint[]) and not password_sign_in`.execute(db);
  return rows.map(({ id }) => id);
}

type Gone = { id: number; user_id: number; passkey: string; person: string; entity_id: number | null };

type Removal = { maker: number | null; accounts: readonly number[]; reason?: string };

/**
 * Removes the passkeys of accounts that were added in sessions for which one person issued the credential; without a
 * maker, all of them.
 */
export async function removePasskeysBy(
  db: Db,
  { maker, accounts, reason = ownReason('reasons.beyond_adder') }: Removal,
): Promise<void> {
  if (accounts.length === 0) return;
  const without = await withoutPassword(db, accounts);
  const { rows } = await sql<Gone>`
    with gone as (
      delete from authenticators
      where user_id = any(${accounts}::bigint[]) and kind = 'passkey'
        and (${maker}::bigint is null or let_in_by_id = ${maker})
      returning id, user_id, name)
    select g.id, u.id as user_id, g.name as passkey, coalesce(e.name, u.email) as person, e.entity_id
    from gone g join users u on u.id = g.user_id left join employees e on e.user_id = u.id`.execute(db);
  if (rows.length === 0) return;
  await endSessionsWith(db, { accounts, passkeys: rows.map(({ id }) => id) });
  if (maker !== null) await endTokensBy(db, { maker, accounts, reason: 'passkey removed' });
  // the person who added the passkey may have read or regenerated them
  const owners = rows.map(({ user_id }) => user_id);
  await sql`delete from recovery_codes where user_id = any(${owners}::bigint[])`.execute(db);
  await finishFactorRemoval(db, accounts);
  await record(
    { db, actor: null },
    ...rows.map(({ user_id, person, entity_id, passkey }) => ({
      action: 'account.passkey_removed' as const,
      subject_id: user_id,
      subject_label: person,
      entity_id,
      changes: { name: { from: passkey, to: null } },
      reason,
    })),
  );
  const still = new Set(await withoutPassword(db, without));
  await notifyPasswordVoided(
    db,
    without.filter((id) => !still.has(id)),
  );
}
