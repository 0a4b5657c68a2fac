import { sql } from 'kysely';
import { record } from '../audit.ts';
import type { Db } from '../db/connect.ts';
import { notifyPasswordVoided } from '../notifications/account.ts';
import { notifyWebhook } from '../notifications/webhooks.ts';
import { coveredAccounts, coverOf } from './cover.ts';
import type { Aspect } from './cover.ts';
import { endRolesOf } from './provider-roles.ts';
import { removePasskeysBy } from './passkeys.ts';
import { loadHolder } from './rights.ts';
import { endAccessOf, endTokensBy } from './api-tokens.ts';
import { endSessionsOf } from './sessions.ts';
import { ownReason } from '../languages/answer.ts';

/**
 * Passwords that another person may know: one-time passwords, and passwords chosen in sessions that began with one.
 * They are valid as long as their issuer has all rights of the account.
 */

const moreRights = 'more rights';

type Made = { maker: number; provider: { id: number; name: string } };
type Voided = { id: number; person: string; entity_id: number | null };

/**
 * Voids the passwords of accounts and ends their sessions: each account needs another one-time password or link.
 * Notifies the users, those who can reset the passwords, and the administrators.
 */
export async function voidCredentials(db: Db, userIds: readonly number[], reason: string): Promise<void> {
  if (userIds.length === 0) return;
  await endAccessOf(db, userIds, reason);
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

/** Removes the links to a provider that one person made to these accounts. */
async function unlinkAll(db: Db, { maker, provider, accounts }: Made & { accounts: readonly number[] }): Promise<void> {
  if (accounts.length === 0) return;
  await endRolesOf({ db }, { ...provider, kind: 'identity_provider' }, accounts);
  await endTokensBy(db, { maker, accounts, reason: moreRights });
  const { rows } = await sql<Voided & { provider: string }>`
    with gone as (
      delete from user_identities
      where user_id = any(${accounts}::bigint[]) and linked_by_id = ${maker} and provider_id = ${provider.id}
      returning user_id, provider_id)
    select u.id, coalesce(e.name, u.email) as person, e.entity_id, p.name as provider
    from gone g join identity_providers p on p.id = g.provider_id
    join users u on u.id = g.user_id left join employees e on e.user_id = u.id`.execute(db);
  await record(
    { db, actor: null },
    ...rows.map(({ id, person, entity_id, provider }) => ({
      action: 'identity.unlinked' as const,
      subject_id: id,
      subject_label: person,
      entity_id,
      changes: { provider: { from: provider, to: null } },
      reason: ownReason('reasons.beyond_linker'),
    })),
  );
}

/**
 * Whether `by`, who may be able to sign in to the account, has every right of it. True if there is no such person, if
 * it is the account itself, or if the person's account is gone. Rights from the provider `besides` do not count. A new
 * way to sign in needs `way_in`: the account does not decide about that person.
 */
export async function isCoveredBy(
  db: Db,
  by: number | null,
  userId: number,
  { needs = 'rights', besides }: { needs?: Aspect; besides?: number } = {},
): Promise<boolean> {
  if (by === null || by === userId) return true;
  const holder = await loadHolder(db, by);
  if (!holder) return true;
  const covers = await coverOf(db, holder, [userId], undefined, besides);
  return covers.get(userId)?.has(needs) ?? false;
}

/** The accounts that the issuer of their password covers today; none if the issuer cannot sign in. */
async function coveredByIssuer(
  db: Db,
  issuerId: number,
  userIds: readonly number[],
  besides?: number,
): Promise<ReadonlySet<number>> {
  const issuer = await loadHolder(db, issuerId);
  return issuer ? coveredAccounts(db, issuer, userIds, besides) : new Set();
}

type Issued = { id: number; issuer: number };

/** By issuer, the accounts that the issuer does not cover. Runs one statement per issuer. */
async function uncoveredByIssuer(db: Db, issued: readonly Issued[]): Promise<{ maker: number; accounts: number[] }[]> {
  const uncovered: { maker: number; accounts: number[] }[] = [];
  for (const [maker, some] of Map.groupBy(issued, ({ issuer }) => issuer)) {
    const ids = some.map(({ id }) => id);
    const covered = await coveredByIssuer(db, maker, ids);
    uncovered.push({ maker, accounts: ids.filter((id) => !covered.has(id)) });
  }
  return uncovered;
}

/** After accounts gained rights: ends their sessions and voids issued passwords whose issuer no longer covers them. */
export async function voidAfterGrowth(db: Db, userIds: readonly number[]): Promise<void> {
  if (userIds.length === 0) return;
  await endSessionsOf(db, userIds, moreRights);
  const { rows } = await sql<Issued>`
    select id, password_issued_by as issuer from users
    where id = any(${userIds}::bigint[]) and password_issued_by is not null and password_hash is not null`.execute(db);
  const uncovered = (await uncoveredByIssuer(db, rows)).flatMap(({ accounts }) => accounts);
  await voidCredentials(db, uncovered, ownReason('reasons.beyond_issuer'));
  await unlinkUncovered(db, userIds);
  await removeUncoveredPasskeys(db, userIds);
  await endUncoveredTokens(db, userIds);
  await pauseUncoveredWebhooks(db, userIds);
}

/**
 * Removes provider links made by another person who does not cover the account or is gone. Roles from groups of the
 * linked subject do not count: a person who links their own subject gives the account only their own groups.
 */
async function unlinkUncovered(db: Db, userIds: readonly number[]): Promise<void> {
  const { rows } = await sql<Issued & { provider_id: number; name: string }>`
    select i.user_id as id, i.linked_by_id as issuer, i.provider_id, p.name
    from user_identities i join identity_providers p on p.id = i.provider_id
    where i.user_id = any(${userIds}::bigint[]) and i.linked_by_id is not null and i.linked_by_id <> i.user_id`.execute(
    db,
  );
  for (const some of Map.groupBy(rows, ({ issuer, provider_id }) => `${issuer} ${provider_id}`).values()) {
    const [{ issuer: maker, provider_id, name } = some[0] as (typeof rows)[0]] = some;
    const ids = some.map(({ id }) => id);
    const covered = await coveredByIssuer(db, maker, ids, provider_id);
    const provider = { id: provider_id, name };
    await unlinkAll(db, { maker, provider, accounts: ids.filter((id) => !covered.has(id)) });
  }
}

/**
 * Removes passkeys added in a session whose credential was issued by a person who does not cover the account or is
 * gone.
 */
async function removeUncoveredPasskeys(db: Db, userIds: readonly number[]): Promise<void> {
  const { rows } = await sql<Issued>`
    select distinct user_id as id, let_in_by_id as issuer from authenticators
    where user_id = any(${userIds}::bigint[]) and kind = 'passkey' and let_in_by_id <> user_id`.execute(db);
  for (const uncovered of await uncoveredByIssuer(db, rows)) await removePasskeysBy(db, uncovered);
}

/**
 * Ends tokens and calendar addresses created in a session whose credential was issued by a person who does not cover
 * the account or is gone.
 */
async function endUncoveredTokens(db: Db, userIds: readonly number[]): Promise<void> {
  const { rows } = await sql<Issued>`
    select user_id as id, let_in_by_id as issuer from api_tokens
    where user_id = any(${userIds}::bigint[]) and revoked_at is null and let_in_by_id <> user_id
    union
    select user_id, let_in_by_id from calendar_feeds
    where user_id = any(${userIds}::bigint[]) and let_in_by_id <> user_id`.execute(db);
  for (const uncovered of await uncoveredByIssuer(db, rows))
    await endTokensBy(db, { ...uncovered, reason: moreRights });
}

type Grown = Issued & { webhook_id: number; name: string; account: string; owner_ids: number[] };

/**
 * Pauses webhooks of accounts that may do more than the person who set the target address, or whose person is gone,
 * until another person reviews and resumes them.
 */
async function pauseUncoveredWebhooks(db: Db, userIds: readonly number[]): Promise<void> {
  const { rows } = await sql<Grown>`
    select w.service_account_id as id, w.set_by_id as issuer, w.id as webhook_id, w.name, s.name as account, s.owner_ids
    from webhooks w join service_accounts s on s.user_id = w.service_account_id
    where w.service_account_id = any(${userIds}::bigint[]) and w.status = 'active' and w.set_by_id is not null`.execute(
    db,
  );
  for (const [maker, some] of Map.groupBy(rows, ({ issuer }) => issuer)) {
    const covered = await coveredByIssuer(
      db,
      maker,
      some.map(({ id }) => id),
    );
    for (const { id, webhook_id, name, account, owner_ids } of some) {
      if (covered.has(id)) continue;
      await sql`update webhooks set status = 'paused', reason = 'more_rights' where id = ${webhook_id}`.execute(db);
      await record(
        { db, actor: null },
        {
          action: 'webhook.paused',
          subject_id: webhook_id,
          subject_label: name,
          reason: ownReason('reasons.beyond_maker'),
        },
      );
      await notifyWebhook(db, { id: webhook_id, name, account, owner_ids, variant: 'more_rights' });
    }
  }
}

/**
 * A sign-in with a correct password. `is_one_time`: it is a one-time password. `is_unused`: it is the first use of a
 * password chosen through a link to an address of the issuer. `has_people`: the account reaches people through
 * reporting lines or departments.
 */
export type PasswordUse = {
  id: number;
  issuer: number | null;
  is_one_time: boolean;
  is_unused: boolean;
  has_people: boolean;
};

/**
 * Checks the issued password of a sign-in by today's rights: managed people and departments change daily without ending
 * sessions. A one-time password depends on the current rights of its issuer. Like a link, it opens no account that
 * decides about the issuer; neither does the first use of a password that the issuer may have chosen through a link. A
 * password that the user chose afterwards stays valid when its issuer leaves. Returns false for a password that is now
 * void.
 */
export async function validateIssuedPassword(
  db: Db,
  { id, issuer, is_one_time, is_unused, has_people }: PasswordUse,
): Promise<boolean> {
  const isFirst = is_one_time || is_unused;
  if (issuer === null || (!isFirst && !has_people)) return true;
  const holder = await loadHolder(db, issuer);
  if (!holder && !is_one_time) return true;
  const cover = holder && (await coverOf(db, holder, [id])).get(id);
  if (cover?.has(isFirst ? 'way_in' : 'rights')) return true;
  // gives no details: readers of the audit log may not know of a review
  await voidCredentials(db, [id], ownReason('reasons.issuer_shut_out'));
  return false;
}
