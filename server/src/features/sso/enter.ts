import { text } from '@tenure/contract';
import { sql } from 'kysely';
import type { Transaction } from 'kysely';
import { deviceKey, rememberOrigin } from '../../access/known-origins.ts';
import { createSession, endSession, guardOf } from '../../access/sessions.ts';
import type { NewSession } from '../../access/sessions.ts';
import type { DB } from '../../db/schema.ts';
import { newDeviceId } from '../../crypto/device-cookie.ts';
import { invalid, notFound } from '../../http/errors.ts';
import { notifySignIn } from '../../notifications/account.ts';
import { findByAddress, findIdentity, isStillCovered, linkIdentity, unlinkIdentity } from '../../sso/identities.ts';
import type { Account, Identity } from '../../sso/identities.ts';
import { noteFailure } from './answer.ts';
import type { Answered, CompleteCtx } from './answer.ts';

/** The session of a person who came from a provider. */

type Entered = NewSession & { device: Uint8Array; user_id: number };

const mostUnmatched = 1_000;

/** Finds the account of the person; the first time by the address, where the rule of the provider allows it. */
async function accountOf(
  ctx: CompleteCtx,
  db: Transaction<DB>,
  { provider, came }: Answered,
): Promise<(Identity & Account) | undefined> {
  const known = await findIdentity(db, provider, came.subject);
  if (known && !known.may_sign_in) return undefined;
  if (known && (await isStillCovered(db, known))) return known;
  if (known) {
    const reason = 'The account may do more than who linked it.';
    await unlinkIdentity({ db, actor: null, request: ctx.request }, known, { provider: provider.name, reason });
    return undefined;
  }
  const account = came.vouched === null ? undefined : await findByAddress(db, provider, came.vouched);
  if (!account) return undefined;
  const linking = { db, actor: account, request: ctx.request };
  const by = { linked_by: 'rule', linked_by_id: account.address_set_by } as const;
  const identity = await linkIdentity(linking, provider, { account, came, by });
  if (identity) return { ...account, ...identity };
  // the same person in two windows: the other one linked it
  const meanwhile = await findIdentity(db, provider, came.subject);
  return meanwhile?.may_sign_in ? meanwhile : undefined;
}

/** Notes for HR who tried; the list of a provider forgets those who tried longest ago. */
async function noteUnmatched(db: Transaction<DB>, { provider, came }: Answered): Promise<void> {
  await sql`
    insert into sso_unmatched (provider_id, subject, email, name)
    select ${provider.id}, ${came.subject}, ${came.email}, ${came.name}
    where not exists (select from user_identities where provider_id = ${provider.id} and subject = ${came.subject})
    on conflict (provider_id, subject) do update
      set tries = sso_unmatched.tries + 1, email = excluded.email, name = excluded.name, last_try_at = now()`.execute(
    db,
  );
  await sql`
    delete from sso_unmatched where id in (
      select id from sso_unmatched where provider_id = ${provider.id}
      order by last_try_at desc, id desc offset ${mostUnmatched})`.execute(db);
}

async function begin(ctx: CompleteCtx, db: Transaction<DB>, answered: Answered): Promise<Entered | undefined> {
  const { deps, request, credentials } = ctx;
  const { provider, came } = answered;
  // one that is disabled meanwhile ends the sessions that came from it: before or after this one
  const { rows } = await sql`
    select from identity_providers where id = ${provider.id} and is_enabled for key share`.execute(db);
  if (rows.length === 0) throw notFound();
  const account = await accountOf(ctx, db, answered);
  if (!account) {
    await noteUnmatched(db, answered);
    return undefined;
  }
  const { user_id, id } = account;
  await sql`update user_identities set last_used_at = now(), email = ${came.email} where id = ${id}`.execute(db);
  await sql`update users set last_login_at = now() where id = ${user_id}`.execute(db);
  if (credentials.content) await endSession(db, credentials.content.sid, 'new sign-in');
  const device = deps.sessionCookies.deviceOf(credentials) ?? newDeviceId();
  const from = { ip: request.ip, user_agent: request.user_agent, device: deviceKey(device) };
  const hours = Math.min(deps.config.SESSION_MAX_HOURS, provider.session_max_hours ?? Infinity);
  const created = await createSession(
    db,
    user_id,
    from,
    { ...deps.config, SESSION_MAX_HOURS: hours },
    {
      method: 'sso',
      factors: came.factors,
      provider_id: provider.id,
      sso_sid: came.sid,
    },
  );
  await rememberOrigin(db, user_id, from);
  await notifySignIn(db, user_id, { ...created, failures: 0, ip: request.ip, user_agent: request.user_agent });
  return { ...created, device, user_id };
}

/**
 * Begins the session of the person and ends the presented one. Throws 422 on `sso` when no account belongs to them, or
 * the sign-in rules demand more.
 */
export async function enter(ctx: CompleteCtx, answered: Answered): Promise<Entered> {
  const { deps, request } = ctx;
  const { id: provider_id, name } = answered.provider;
  const entered = await deps.db
    .transaction()
    .execute((db) => begin(ctx, db, answered))
    .catch((error: unknown) => {
      const guard = guardOf(error);
      if (!guard) throw error;
      noteFailure(ctx, guard);
      const isFactor = guard === 'session_register_second_factor';
      throw invalid(
        'sso',
        isFactor ? text('sso.second_factor_needed', { provider: name }) : text('sso.other_provider'),
      );
    });
  const who = { request_id: request.id, ip: request.ip, provider_id };
  if (!entered) {
    deps.log.warn({ event: 'sso_unmatched', ...who }, 'no account belongs to who came from a provider');
    throw invalid('sso', text('sso.no_account', { provider: name }));
  }
  deps.log.info({ event: 'sso_ok', ...who, user_id: entered.user_id }, 'signed in through a provider');
  return entered;
}
