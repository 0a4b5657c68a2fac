import { text } from '@tenure/contract';
import { sql } from 'kysely';
import { credentialIssuer } from '../../access/credential-issuer.ts';
import { lockOwnAccount, isStillLive } from '../../access/own-account.ts';
import { isProofCurrent, signInRequirements } from '../../access/second-factors.ts';
import type { ReadCtx, RecordCtx, WriteCtx } from '../../http/context.ts';
import { invalid, blocked, notFound } from '../../http/errors.ts';
import { linkIdentity, unlinkIdentity } from '../../sso/identities.ts';
import type { Account } from '../../sso/identities.ts';
import { applyGroups } from '../../sso/role-rules.ts';
import { untilHeld } from '../../sso/until-held.ts';
import type { Answered, CompleteCtx } from './answer.ts';
import { lockAnswered, logFailure } from './answer.ts';

/** The links of the user's account. */

type Ref = { id: number; name: string };
type Own = { id: number; provider: Ref; email: string | null; linked_at: string; last_used_at: string | null };

type Row = { provider_id: number; name: string; id: number | null; may_link: boolean } & {
  [K in 'email' | 'linked_at' | 'last_used_at']: string | null;
};

/** The links of the account, and the enabled providers without a link. */
export async function listOwn({ db, actor }: ReadCtx): Promise<{ identities: Own[]; providers: Ref[] }> {
  const { rows } = await sql<Row>`
    select p.id as provider_id, p.name, i.id, i.email, i.created_at as linked_at, i.last_used_at,
           p.is_enabled and not u.break_glass
             and (p.entity_ids is null or e.id is null or e.entity_id = any(p.entity_ids)) as may_link
    from users u left join employees e on e.user_id = u.id
    cross join identity_providers p
    left join user_identities i on i.provider_id = p.id and i.user_id = u.id
    where u.id = ${actor.user_id}
    order by fold(p.name), p.id`.execute(db);
  return {
    identities: rows.flatMap(({ provider_id, name, id, email, linked_at, last_used_at }) =>
      id === null || linked_at === null
        ? []
        : [{ id, provider: { id: provider_id, name }, email, linked_at, last_used_at }],
    ),
    providers: rows.flatMap(({ provider_id, name, id, may_link }) =>
      may_link && id === null ? [{ id: provider_id, name }] : [],
    ),
  };
}

type Linked = Account & { id: number; provider_id: number; provider: string; has_other_way: boolean };

/** True if the account `u` can sign in without the link `i`: with a usable password, a passkey, or another provider. */
const hasOtherWay = sql<boolean>`(
  demanded_providers(u.id) is null and (
    u.password_sign_in and u.password_hash is not null
      and (not u.must_change_password or u.one_time_password and u.password_expires_at > now())
    or exists (select from authenticators a where a.user_id = u.id and a.kind = 'passkey' and factor_works(a)))
  or exists (
    select from user_identities o join identity_providers q on q.id = o.provider_id and q.is_enabled
    where o.user_id = u.id and o.id <> i.id and (q.entity_ids is null or e.id is null or e.entity_id = any(q.entity_ids))
      and (demanded_providers(u.id) is null or q.id = any(demanded_providers(u.id)))))`;

/** Finds a link of the user's account. Throws 404 for others. */
export async function findOwn({ db, actor, params }: RecordCtx): Promise<Linked> {
  // one at a time, so that each sees whether the other ways still exist
  await lockOwnAccount(db, actor);
  const { rows } = await sql<Linked>`
    select i.id, i.provider_id, p.name as provider, u.id as user_id, coalesce(e.name, u.email) as name, e.entity_id, u.address_set_by,
           ${hasOtherWay} as has_other_way
    from user_identities i
    join identity_providers p on p.id = i.provider_id
    join users u on u.id = i.user_id
    left join employees e on e.user_id = u.id
    where i.id = ${params.id} and i.user_id = ${actor.user_id}
    for update of i`.execute(db);
  const [found] = rows;
  if (!found) throw notFound();
  return found;
}

/** Removes the link. Throws 422 if it is the only way to sign in. */
export async function unlinkOwn(ctx: WriteCtx, linked: Linked): Promise<void> {
  if (!linked.has_other_way) throw blocked('identity', text('sso.only_way_in'));
  await unlinkIdentity(ctx, linked, { provider: linked.provider, keep: ctx.actor.session_id });
}

/** Links the account of the session to the person at the provider. Throws 422 on `sso` if either is already linked. */
export async function linkOwn(ctx: CompleteCtx, { provider, flow, profile }: Answered): Promise<void> {
  const { live } = ctx.credentials;
  const refuse = (reason: string, message: Parameters<typeof invalid>[1]) => {
    logFailure(ctx, reason);
    return invalid('sso', message);
  };
  // a link that one user started must not end in another account, and viewing as a role must change nothing
  if (!live || live.user_id !== flow.user_id || live.viewed_role_id !== null)
    throw refuse('other_session', text('sso.expired'));
  await untilHeld(ctx.db, async (db) => {
    const held = await lockAnswered(ctx, db, { provider, accounts: sql`select ${live.user_id}::bigint` });
    const { rows } = await sql<Account & { may_link: boolean; let_in_by: number | null }>`
      select u.id as user_id, coalesce(e.name, u.email) as name, e.entity_id, u.address_set_by, ${credentialIssuer(live)} as let_in_by,
             not u.break_glass and (${provider.entity_ids}::bigint[] is null or e.id is null
               or e.entity_id = any(${provider.entity_ids}::bigint[])) as may_link
      from users u left join employees e on e.user_id = u.id where u.id = ${live.user_id} for update of u`.execute(db);
    const [account] = rows;
    if (!(await isStillLive(db, live))) throw refuse('other_session', text('sso.expired'));
    const { name } = provider;
    const factors = await signInRequirements(db, live.user_id);
    // a link is a way to sign in, so one that was started without the factor needs it now
    if (ctx.deps.config.STEP_UP_MINUTES > 0 && !isProofCurrent(live.proved_at ?? 0, factors))
      throw refuse('factor_since', text('sso.factor_since'));
    if (!account?.may_link) throw refuse('not_linkable', text('sso.not_linkable', { provider: name }));
    const by = { linked_by: 'person', linked_by_id: account.let_in_by } as const;
    const linking = { db, actor: account, request: ctx.request };
    const identity = await linkIdentity(linking, provider, { account, profile, by });
    if (identity) {
      const link = { ...identity, user_id: account.user_id };
      if (profile.groups) await applyGroups({ db, request: ctx.request, held }, provider, link, profile.groups);
      return;
    }
    const { rows: own } = await sql`
      select from user_identities where user_id = ${live.user_id} and provider_id = ${provider.id}`.execute(db);
    const key = own.length > 0 ? 'sso.linked_already' : 'sso.linked_elsewhere';
    throw refuse(key, text(key, { provider: name }));
  });
}
