import { sql } from 'kysely';
import type { RawBuilder, SqlBool } from 'kysely';
import { isCoveredBy } from '../access/credentials.ts';
import { endRolesOf } from '../access/provider-roles.ts';
import { record } from '../audit.ts';
import type { Acting } from '../audit.ts';
import type { Db } from '../db/connect.ts';
import type { RequestInfo } from '../http/context.ts';
import { notifyIdentityLinked } from '../notifications/own-account.ts';
import { lockSubject, subjectEndedAt } from './pending.ts';
import type { ProviderProfile } from './person.ts';
import type { Provider } from './providers.ts';

/** Maps the subjects of providers to accounts. */

export type Account = { user_id: number; name: string; entity_id: number | null; address_set_by: number | null };
export type Identity = { id: number; provider_id: number; linked_by_id: number | null };
/** `is_unused`: HR made the link, and no one has signed in through it yet. */
type Known = Identity & Account & { may_sign_in: boolean; is_unused: boolean };

const accountColumns = sql`u.id as user_id, coalesce(e.name, u.email) as name, e.entity_id, u.address_set_by`;
const accountTables = sql`users u left join employees e on e.user_id = u.id`;

/** True for an account `u` of a person `e` that may sign in through the provider. */
const maySignIn = ({ entity_ids }: Pick<Provider, 'entity_ids'>): RawBuilder<SqlBool> => sql<SqlBool>`(
  u.is_enabled and not u.break_glass
  and (e.id is null or may_sign_in(e.activity_status, e.early_access, e.deleted_at))
  and (${entity_ids}::bigint[] is null or e.id is null or e.entity_id = any(${entity_ids}::bigint[])))`;

/** The account linked to a subject; locks both the account and the link. */
export async function findIdentity(db: Db, provider: Provider, subject: string): Promise<Known | undefined> {
  const { rows } = await sql<Known>`
    select i.id, i.provider_id, i.linked_by_id, i.linked_by = 'hr' and i.last_used_at is null as is_unused,
           ${accountColumns}, ${maySignIn(provider)} as may_sign_in
    from user_identities i join ${accountTables} on u.id = i.user_id
    where i.provider_id = ${provider.id} and i.subject = ${subject}
    for update of i`.execute(db);
  return rows[0];
}

/** Whether someone other than its user can link an account: not that of an administrator, nor an emergency account. */
const isLinkable = ({ id, entity_ids }: Pick<Provider, 'id' | 'entity_ids'>) => sql<SqlBool>`(
  e.id is not null and ${maySignIn({ entity_ids })} and not u.is_admin
  and not exists (select from user_identities own where own.user_id = u.id and own.provider_id = ${id}))`;

/** The account of an address that a provider vouches for, unless it may do more than the person who set the address. */
export async function findByAddress(db: Db, provider: Provider, address: string): Promise<Account | undefined> {
  const { rows } = await sql<Account>`
    select ${accountColumns} from ${accountTables}
    where u.email = ${address} and ${isLinkable(provider)}
    for no key update of u`.execute(db);
  const [account] = rows;
  const isCovered = account && (await isCoveredBy(db, account.address_set_by, account.user_id, { needs: 'way_in' }));
  return isCovered ? account : undefined;
}

/** The account of a person, if it can be linked. */
export async function findLinkable(
  db: Db,
  provider: Pick<Provider, 'id' | 'entity_ids'>,
  employeeId: number,
): Promise<Account | undefined> {
  const { rows } = await sql<Account>`
    select ${accountColumns} from ${accountTables}
    where e.id = ${employeeId} and ${isLinkable(provider)}
    for no key update of u`.execute(db);
  return rows[0];
}

type Linking = Acting & { request: RequestInfo };
type By = { linked_by: 'rule' | 'person' | 'hr'; linked_by_id: number | null };

/**
 * Links a subject to an account, and notifies its user. Returns undefined if one of the two was linked meanwhile. An
 * account found by address is only as trustworthy as the address, so the person who set that counts as the one who made
 * the link.
 */
export async function linkIdentity(
  linking: Linking,
  provider: Pick<Provider, 'id' | 'name'>,
  { account, profile, by }: { account: Account; profile: Pick<ProviderProfile, 'subject' | 'email'>; by: By },
): Promise<Identity | undefined> {
  const { db, request } = linking;
  await lockSubject(db, provider.id, profile.subject);
  const { rows } = await sql<Identity>`
    insert into user_identities (user_id, provider_id, subject, email, linked_by, linked_by_id, signed_out_at)
    values (${account.user_id}, ${provider.id}, ${profile.subject}, ${profile.email}, ${by.linked_by}, ${by.linked_by_id},
            ${subjectEndedAt(provider.id, profile.subject)})
    on conflict do nothing
    returning id, provider_id, linked_by_id`.execute(db);
  const [identity] = rows;
  if (!identity) return undefined;
  await sql`delete from sso_unmatched where provider_id = ${provider.id} and subject = ${profile.subject}`.execute(db);
  await record(linking, {
    action: 'identity.linked',
    subject_id: account.user_id,
    subject_label: account.name,
    entity_id: account.entity_id,
    changes: { provider: { from: null, to: provider.name }, linked_by: { from: null, to: by.linked_by } },
  });
  await notifyIdentityLinked(db, account.user_id, { id: identity.id, provider: provider.name }, request);
  return identity;
}

/**
 * Whether the person who made a link still has every right of the account, except those that come from the subject's
 * groups: they could have linked an account of their own. Like an unused one-time password, an HR link opens no account
 * for the first time that decides about that person. Nothing is checked once that person is gone.
 */
export const isStillCovered = (
  db: Db,
  {
    linked_by_id,
    user_id,
    provider_id,
    is_unused,
  }: Pick<Known, 'linked_by_id' | 'user_id' | 'provider_id' | 'is_unused'>,
): Promise<boolean> =>
  isCoveredBy(db, linked_by_id, user_id, { needs: is_unused ? 'way_in' : 'rights', besides: provider_id });

type Link = Pick<Identity, 'id' | 'provider_id'> & Omit<Account, 'address_set_by'>;
type Ended = { provider: string; reason?: string | null; keep?: number | null };

/**
 * Removes a link and the roles that came through it; its subject is unknown from then on. Ends the sessions that came
 * through it, except `keep`, and tokens and calendar addresses created in sessions that its maker gave access to.
 */
export async function unlinkIdentity(
  acting: Acting,
  { id, provider_id, user_id, name, entity_id }: Link,
  { provider, reason = null, keep = null }: Ended,
): Promise<void> {
  await endRolesOf(acting, { kind: 'identity_provider', id: provider_id, name: provider }, [user_id]);
  await sql`
    with gone as (delete from user_identities where id = ${id} returning user_id, provider_id, linked_by_id),
    ended as (
      update api_tokens t set revoked_at = now(), reason = 'provider unlinked'
      from gone g where t.user_id = g.user_id and t.let_in_by_id = g.linked_by_id and t.revoked_at is null),
    feeds as (
      delete from calendar_feeds f using gone g where f.user_id = g.user_id and f.let_in_by_id = g.linked_by_id)
    update session_register s set revoked_at = now(), reason = 'provider unlinked'
    from gone g
    where s.user_id = g.user_id and s.provider_id = g.provider_id and s.revoked_at is null
      and s.id is distinct from ${keep}::bigint`.execute(acting.db);
  await record(acting, {
    action: 'identity.unlinked',
    subject_id: user_id,
    subject_label: name,
    entity_id,
    changes: { provider: { from: provider, to: null } },
    reason,
  });
}

/** Removes all links of accounts that are to sign in without a provider. */
export async function unlinkAll(acting: Acting, userIds: readonly number[], reason: string): Promise<void> {
  const { rows } = await sql<Link & { provider: string }>`
    select i.id, i.provider_id, u.id as user_id, coalesce(e.name, u.email) as name, e.entity_id, p.name as provider
    from user_identities i join identity_providers p on p.id = i.provider_id join ${accountTables} on u.id = i.user_id
    where i.user_id = any(${userIds}::bigint[]) order by i.id`.execute(acting.db);
  for (const { provider, ...link } of rows) await unlinkIdentity(acting, link, { provider, reason });
}
