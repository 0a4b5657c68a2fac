import { secondFactors, text } from '@tenure/contract';
import type { AccountSecurity, AuditAction } from '@tenure/contract';
import { sql } from 'kysely';
import type { Kysely } from 'kysely';
import { wrongCode } from '../../access/code-tries.ts';
import { storeSecret } from '../../access/sealed-columns.ts';
import { bumpFactors, demandsOn, findTotp, removeFactors, spendCodeOf } from '../../access/second-factors.ts';
import { record } from '../../audit.ts';
import { installationBrand } from '../../brand/read.ts';
import { toBase32 } from '../../crypto/base32.ts';
import { newRecoveryCodes, recoveryHash } from '../../crypto/recovery-codes.ts';
import { newTotpSeed, totpAddress } from '../../crypto/totp.ts';
import type { Db } from '../../db/connect.ts';
import type { DB } from '../../db/schema.ts';
import { bind } from '../../http/context.ts';
import type { ServiceCtx, WriteCtx } from '../../http/context.ts';
import { forbidden, invalid } from '../../http/errors.ts';
import { done, read } from '../../http/replies.ts';
import { notifyFactor } from '../../notifications/own-account.ts';
import { isRightCode } from './step-up.ts';

/** The own second factors: an authenticator app, and recovery codes that stand in for it. */

type Found = { added_at: string | null; last_used_at: string | null; recovery_codes_left: number };

async function securityOf({ db, actor }: Pick<WriteCtx, 'db' | 'actor'>): Promise<AccountSecurity> {
  const { rows } = await sql<Found>`
    select a.confirmed_at as added_at, a.last_used_at,
           (select count(*)::int from recovery_codes r where r.user_id = u.id and r.used_at is null)
             as recovery_codes_left
    from users u
    left join authenticators a on a.user_id = u.id and a.kind = 'totp' and a.confirmed_at is not null
    where u.id = ${actor.user_id}`.execute(db);
  const { added_at, last_used_at, recovery_codes_left } = rows[0] as Found;
  return { totp: added_at === null ? null : { added_at, last_used_at }, recovery_codes_left };
}

/** One change of the factors of an account at a time. */
const lock = (db: Db, userId: number) => sql`select from users where id = ${userId} for no key update`.execute(db);

async function hasTotp(db: Db, userId: number): Promise<boolean> {
  return (await findTotp(db, userId, true)) !== undefined;
}

/** A session that may only add the first factor is none for an account that has one. */
async function refuseEnrolled({ db, actor }: Pick<WriteCtx, 'db' | 'actor'>): Promise<void> {
  if (actor.enrol_only && (await hasTotp(db, actor.user_id))) throw forbidden(text('account.second_factor_required'));
}

async function startTotp(ctx: ServiceCtx) {
  const { db, deps, actor } = ctx;
  await lock(db, actor.user_id);
  await refuseEnrolled(ctx);
  await sql`delete from authenticators where user_id = ${actor.user_id} and kind = 'totp' and confirmed_at is null`.execute(
    db,
  );
  const { id } = await db
    .insertInto('authenticators')
    .values({ user_id: actor.user_id, kind: 'totp', name: 'TOTP' })
    .returning('id')
    .executeTakeFirstOrThrow();
  const seed = newTotpSeed();
  await storeSecret(db, deps.ring, { table: 'authenticators', column: 'secret' }, id, seed);
  const { name } = await installationBrand(db);
  return { secret: toBase32(seed), otpauth_url: totpAddress(seed, name ?? 'Tenure', actor.email) };
}

/** Makes new recovery codes in place of all earlier ones. */
async function replaceRecoveryCodes(db: Db, userId: number): Promise<string[]> {
  const codes = newRecoveryCodes();
  await sql`delete from recovery_codes where user_id = ${userId}`.execute(db);
  await sql`
    insert into recovery_codes (user_id, hash)
    select ${userId}, h from unnest(${codes.map(recoveryHash)}::text[]) as h`.execute(db);
  return codes;
}

type Told = {
  action: Extract<AuditAction, `account.${string}`>;
  variant: 'factor_added' | 'factor_removed' | 'recovery_codes';
};

/** Records a change of the own factors and tells the person: it may have been an attacker. */
async function tell({ db, actor, request }: WriteCtx, { action, variant }: Told): Promise<void> {
  const { rows } = await sql<{ entity_id: number | null }>`
    select entity_id from employees where user_id = ${actor.user_id}`.execute(db);
  await record(
    { db, actor, request },
    { action, subject_id: actor.user_id, subject_label: actor.name, entity_id: rows[0]?.entity_id ?? null },
  );
  await notifyFactor(db, actor.user_id, { variant, round: request.id, ...request });
}

/** The session has proved the new factor; those that have not end: a stranger's could remove it again. */
async function raiseSession(db: Db, { user_id, session_id }: WriteCtx['actor']): Promise<void> {
  await sql`
    update session_register set enrol_only = false, factors = 2, proved_at = now()
    where id = ${session_id} and revoked_at is null`.execute(db);
  await sql`
    update session_register set revoked_at = now(), reason = 'second factor added'
    where user_id = ${user_id} and factors < 2 and revoked_at is null`.execute(db);
}

/** Accepts the first code of a new app; undefined for a wrong one. The code is used up. */
async function confirmTotp(ctx: ServiceCtx, code: string): Promise<string[] | undefined> {
  const { deps, actor } = ctx;
  return (ctx.db as Kysely<DB>).transaction().execute(async (db) => {
    await lock(db, actor.user_id);
    await refuseEnrolled({ ...ctx, db });
    const app = await findTotp(db, actor.user_id, false);
    if (!app) throw invalid('code', text('account.no_app_begun'));
    if (!(await spendCodeOf(db, deps.ring, app, code))) return undefined;
    await sql`
      delete from authenticators where user_id = ${actor.user_id} and kind = 'totp' and id <> ${app.id}`.execute(db);
    await sql`update authenticators set confirmed_at = now(), updated_at = now() where id = ${app.id}`.execute(db);
    const codes = await replaceRecoveryCodes(db, actor.user_id);
    await raiseSession(db, actor);
    await sql`update users set must_enrol = false where id = ${actor.user_id} and must_enrol`.execute(db);
    await bumpFactors(db, actor.user_id);
    await tell({ ...ctx, db }, { action: 'account.second_factor_added', variant: 'factor_added' });
    return codes;
  });
}

/** Only an account with a second factor can be made an emergency account. */
async function isBreakGlass(db: Db, userId: number): Promise<boolean> {
  const { rows } = await sql`select from users where id = ${userId} and break_glass`.execute(db);
  return rows.length > 0;
}

async function removeTotp(ctx: WriteCtx): Promise<void> {
  const { db, actor } = ctx;
  await lock(db, actor.user_id);
  const { totp, is_due } = await demandsOn(db, actor.user_id);
  if (!totp) throw invalid('totp', text('account.no_app'));
  if (is_due || (await isBreakGlass(db, actor.user_id))) throw invalid('totp', text('account.factor_demanded'));
  await removeFactors(db, actor.user_id);
  await bumpFactors(db, actor.user_id);
  await tell(ctx, { action: 'account.second_factor_removed', variant: 'factor_removed' });
}

export const secondFactorRoutes = [
  bind(secondFactors.security, { handle: async (ctx) => read(await securityOf(ctx)) }),
  bind(secondFactors.startTotp, { handle: async (ctx) => read(await startTotp(ctx)) }),
  bind(secondFactors.confirmTotp, {
    withoutTransaction: 'the counters of failed tries must survive the 422',
    handle: async (ctx) => {
      let codes: string[] | undefined;
      await isRightCode(ctx, 'code', async () => {
        codes = await confirmTotp(ctx, ctx.body.code);
        return codes !== undefined;
      });
      if (!codes) throw wrongCode('code');
      return done({ recovery_codes: codes }, text('account.app_added'));
    },
  }),
  bind(secondFactors.removeTotp, { handle: removeTotp }),
  bind(secondFactors.newRecoveryCodes, {
    handle: async (ctx) => {
      await lock(ctx.db, ctx.actor.user_id);
      if (!(await hasTotp(ctx.db, ctx.actor.user_id))) throw invalid('totp', text('account.no_app'));
      const recovery_codes = await replaceRecoveryCodes(ctx.db, ctx.actor.user_id);
      await tell(ctx, { action: 'account.recovery_codes_created', variant: 'recovery_codes' });
      return done({ recovery_codes }, text('account.recovery_codes_made'));
    },
  }),
];
