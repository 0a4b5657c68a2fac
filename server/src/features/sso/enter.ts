import { text } from '@tenure/contract';
import { sql } from 'kysely';
import type { Transaction } from 'kysely';
import { revokeOtherCredentials } from '../../access/revoke-other-credentials.ts';
import { signInRequirements, hasFactor } from '../../access/second-factors.ts';
import { violatedGuard } from '../../access/sessions.ts';
import { randomToken } from '../../crypto/crypto.ts';
import type { Db } from '../../db/connect.ts';
import type { DB } from '../../db/schema.ts';
import { invalid } from '../../http/errors.ts';
import type { PendingStep } from '../../http/flow-cookies.ts';
import { notifyPeopleWaiting } from '../../notifications/people-waiting.ts';
import { beginSession } from '../../sign-in/begin-session.ts';
import type { SignedIn } from '../../sign-in/begin-session.ts';
import { findByAddress, findIdentity, isStillCovered, linkIdentity, unlinkIdentity } from '../../sso/identities.ts';
import type { Account, Identity } from '../../sso/identities.ts';
import { clockTolerance } from '../../sso/person.ts';
import { applyGroups } from '../../sso/role-rules.ts';
import { staysSignedIn } from '../../sso/pending.ts';
import { untilHeld } from '../../sso/until-held.ts';
import { lockAnswered, logFailure } from './answer.ts';
import type { Answered, CompleteCtx } from './answer.ts';
import { ownReason } from '../../languages/answer.ts';

/** Starts the session of a person who came from a provider. */

type Entered = SignedIn & { user_id: number };

const maxUnmatched = 1_000;

/** Finds the person's account; the first time by address, if the provider's rule allows it. */
async function accountOf(
  ctx: CompleteCtx,
  db: Transaction<DB>,
  { provider, profile }: Answered,
): Promise<(Identity & Account) | undefined> {
  const known = await findIdentity(db, provider, profile.subject);
  if (known && !known.may_sign_in) return undefined;
  if (known && (await isStillCovered(db, known))) return known;
  if (known) {
    // gives no details about an unused link, because readers of the audit log may not know of a review
    const reason = ownReason(known.is_unused ? 'reasons.linker_shut_out' : 'reasons.beyond_linker');
    await unlinkIdentity({ db, actor: null, request: ctx.request }, known, { provider: provider.name, reason });
    return undefined;
  }
  const account = profile.trusted_email === null ? undefined : await findByAddress(db, provider, profile.trusted_email);
  if (!account) return undefined;
  const linking = { db, actor: account, request: ctx.request };
  const by = { linked_by: 'rule', linked_by_id: account.address_set_by } as const;
  const identity = await linkIdentity(linking, provider, { account, profile, by });
  if (identity) return { ...account, ...identity };
  // the same person in two windows: the other one created the link
  const meanwhile = await findIdentity(db, provider, profile.subject);
  return meanwhile?.may_sign_in ? meanwhile : undefined;
}

/** The possible accounts of the person, read without a lock. */
const accountsOf = ({ provider, profile }: Answered) => sql`
  select k.user_id from user_identities k where k.provider_id = ${provider.id} and k.subject = ${profile.subject}
  union all select u.id from users u where u.email = ${profile.trusted_email}`;

/** Records for HR who tried to sign in; the list of a provider drops those whose last attempt is oldest. */
async function recordUnmatched(db: Transaction<DB>, { provider, profile }: Answered): Promise<void> {
  const { rows } = await sql<{ is_new: boolean }>`
    insert into sso_unmatched (provider_id, subject, email, name, groups_count)
    select ${provider.id}, ${profile.subject}, ${profile.email}, ${profile.name}, ${profile.groups?.length ?? null}::int
    where not exists (select from user_identities where provider_id = ${provider.id} and subject = ${profile.subject})
    on conflict (provider_id, subject) do update
      set tries = sso_unmatched.tries + 1, email = excluded.email, name = excluded.name,
          groups_count = excluded.groups_count, last_try_at = now()
    returning tries = 1 as is_new`.execute(db);
  if (rows[0]?.is_new) await notifyPeopleWaiting(db, provider);
  await sql`
    delete from sso_unmatched where id in (
      select id from sso_unmatched where provider_id = ${provider.id}
      order by last_try_at desc, id desc offset ${maxUnmatched})`.execute(db);
}

type Demands = { epoch: number; global_epoch: number; demanded: number[] | null; since: string };

/**
 * What a person must still prove if the provider does not vouch for two factors: the account's factor is requested
 * next; a required but missing factor can only be added.
 */
async function stillToProve(
  ctx: CompleteCtx,
  db: Transaction<DB>,
  { answered: { provider, flow, profile }, user_id }: { answered: Answered; user_id: number },
): Promise<{ is_due: boolean; pending?: PendingStep }> {
  if (profile.factors === 2) return { is_due: false };
  const factors = await signInRequirements(db, user_id);
  const { is_due } = factors;
  if (!hasFactor(factors)) return { is_due };
  const { rows } = await sql<Demands>`
    select u.session_epoch as epoch, i.global_epoch, demanded_providers(u.id) as demanded, now()::text as since
    from users u cross join installation i where u.id = ${user_id}`.execute(db);
  const { epoch, global_epoch, demanded, since } = rows[0] as Demands;
  if (demanded && !demanded.includes(provider.id)) {
    logFailure(ctx, 'session_register_sign_in_policy');
    throw invalid('sso', text('sso.other_provider'));
  }
  const through = {
    provider_id: provider.id,
    sid: profile.sid,
    max_hours: provider.session_max_hours,
    since: flow.since ?? since,
  };
  return { is_due, pending: { id: randomToken(16), user_id, epoch, global_epoch, through } };
}

/** Gives and removes roles by the groups in the response. */
async function applyGroupsOf(
  { deps, request }: CompleteCtx,
  db: Transaction<DB>,
  { provider, profile: { groups = null } }: Answered,
  link: { id: number; user_id: number; held: ReadonlySet<number> },
): Promise<void> {
  await applyGroups({ db, request, held: link.held }, provider, link, groups);
  if (groups !== null) return;
  const who = { request_id: request.id, ip: request.ip, provider_id: provider.id, user_id: link.user_id };
  deps.log.warn(
    { event: 'sso_groups_missing', ...who },
    'a user signed in through a provider whose groups claim is missing or incomplete',
  );
}

/**
 * When the person last proved their identity at the provider, because the browser may have been left open. Long ago if
 * the provider does not say, and with SAML, because some providers send the time of their response. A session that can
 * only add a required factor has no other proof, so the sign-in itself counts there.
 */
function provedAt({ provider, profile: { signed_in_at } }: Answered, isDue: boolean): string {
  if (provider.kind === 'saml' && !isDue) return new Date(0).toISOString();
  const now = Date.now();
  const at = signed_in_at === null && isDue ? now : (signed_in_at ?? 0) * 1_000;
  return new Date(at > now + clockTolerance * 1_000 ? 0 : Math.min(at, now)).toISOString();
}

/** Records the sign-in. Throws 422 on `sso` if the provider signed the person out after it began. */
async function requireSignedIn(
  ctx: CompleteCtx,
  db: Transaction<DB>,
  { provider, flow: { since }, profile: { sid } }: Answered,
  userId: number,
): Promise<void> {
  const through = { provider_id: provider.id, sid, max_hours: null, ...(since !== undefined && { since }) };
  const { numAffectedRows } = await sql`
    update users set last_login_at = now() where id = ${userId} and ${staysSignedIn(through)}`.execute(db);
  if (numAffectedRows === 1n) return;
  logFailure(ctx, 'signed_out');
  throw invalid('sso', text('sso.failed', { provider: provider.name }));
}

type Used = { linked_by_id: number | null; is_first: boolean };

/** Records the use of a link; undefined if it no longer exists. */
async function recordUse(db: Db, id: number, email: string | null): Promise<Used | undefined> {
  const { rows } = await sql<Used>`
    update user_identities i set last_used_at = now(), email = ${email}
    from user_identities before where before.id = i.id and i.id = ${id}
    returning i.linked_by_id, before.last_used_at is null as is_first`.execute(db);
  return rows[0];
}

async function begin(
  ctx: CompleteCtx,
  db: Transaction<DB>,
  answered: Answered,
): Promise<Entered | { pending: PendingStep } | undefined> {
  const { provider, profile } = answered;
  // disabling the provider meanwhile ends the sessions that came from it: before or after this one
  const held = await lockAnswered(ctx, db, { provider, accounts: accountsOf(answered) });
  const account = await accountOf(ctx, db, answered);
  if (!account) {
    await recordUnmatched(db, answered);
    return undefined;
  }
  const { user_id, id } = account;
  // before checking what the account must prove, because a role may require a second factor
  if (profile.groups !== undefined) await applyGroupsOf(ctx, db, answered, { id, user_id, held });
  const link = await recordUse(db, id, profile.email);
  // roles from rules may exceed the rights of the user who created the link, which ended with that
  if (!link) {
    await recordUnmatched(db, answered);
    return undefined;
  }
  if (link.is_first) await revokeOtherCredentials(db, user_id, link.linked_by_id);
  const { pending, is_due } = await stillToProve(ctx, db, { answered, user_id });
  if (pending) return { pending };
  await requireSignedIn(ctx, db, answered, user_id);
  const { sid: sso_sid, factors } = profile;
  const proved_at = provedAt(answered, is_due);
  const marks = { method: 'sso', factors, enrol_only: is_due, provider_id: provider.id, sso_sid, proved_at } as const;
  const how = { userId: user_id, failures: 0, break_glass: false, marks, maxHours: provider.session_max_hours };
  return { ...(await beginSession(ctx.deps, db, ctx, how)), user_id };
}

/**
 * Starts the person's session and ends the sent one, or returns the missing second step. Throws 422 on `sso` if no
 * account belongs to them, or if the sign-in rules require another way.
 */
export async function enter(ctx: CompleteCtx, answered: Answered): Promise<Entered | { pending: PendingStep }> {
  const { deps, request } = ctx;
  const { id: provider_id, name } = answered.provider;
  const entered = await untilHeld(deps.db, (db) => begin(ctx, db, answered)).catch((error: unknown) => {
    const guard = violatedGuard(error);
    if (!guard) throw error;
    logFailure(ctx, guard);
    const isFactor = guard === 'session_register_second_factor';
    throw invalid('sso', isFactor ? text('sso.second_factor_needed', { provider: name }) : text('sso.other_provider'));
  });
  const who = { request_id: request.id, ip: request.ip, provider_id };
  if (!entered) {
    deps.log.warn(
      { event: 'sso_unmatched', ...who },
      'a person from a provider has no account that may sign in that way',
    );
    throw invalid('sso', text('sso.no_account', { provider: name }));
  }
  if ('pending' in entered) return entered;
  deps.log.info({ event: 'sso_ok', ...who, user_id: entered.user_id }, 'signed in through a provider');
  return entered;
}
