import { secondFactors, text } from '@tenure/contract';
import type { AccountSecurity } from '@tenure/contract';
import { sql } from 'kysely';
import { wrongCode } from '../../access/code-tries.ts';
import { lockOwnAccount } from '../../access/own-account.ts';
import { storeSecret } from '../../access/sealed-columns.ts';
import { finishFactorRemoval } from '../../access/passkeys.ts';
import { signInRequirements, findTotp, hasFactor, consumeCodeOf } from '../../access/second-factors.ts';
import { installationBrand } from '../../brand/read.ts';
import { demandedProviders } from '../../access/demanded-providers.ts';
import { toBase32 } from '../../crypto/base32.ts';
import { newTotpSeed, totpAddress } from '../../crypto/totp.ts';
import { bind } from '../../http/context.ts';
import type { ServiceCtx, WriteCtx } from '../../http/context.ts';
import { invalid } from '../../http/errors.ts';
import { done, read } from '../../http/replies.ts';
import { passkeyHost } from '../../sign-in/passkey-host.ts';
import { isBreakGlass, raiseSession, refuseEnrolled, replaceRecoveryCodes, notifyOwner } from './factor-changes.ts';
import { listPasskeys } from './passkeys.ts';
import { isRightCode } from './step-up.ts';

/** The user's own second factors: an authenticator app, and recovery codes as a replacement. */

type Found = {
  totp_at: string | null;
  last_used_at: string | null;
  password_sign_in: boolean;
  sign_in_through: string | null;
  recovery_codes_left: number;
};

async function securityOf({ db, deps, actor }: Pick<ServiceCtx, 'db' | 'deps' | 'actor'>): Promise<AccountSecurity> {
  const { rows } = await sql<Found>`
    select a.confirmed_at as totp_at, a.last_used_at, u.password_sign_in, ${demandedProviders} as sign_in_through,
           (select count(*)::int from recovery_codes r where r.user_id = u.id and r.used_at is null)
             as recovery_codes_left
    from users u
    left join authenticators a on a.user_id = u.id and a.kind = 'totp' and a.confirmed_at is not null
    where u.id = ${actor.user_id}`.execute(db);
  const { totp_at: added_at, last_used_at, ...rest } = rows[0] as Found;
  return {
    totp: added_at === null ? null : { added_at, last_used_at },
    passkeys: await listPasskeys(db, actor.user_id),
    passkeys_work: passkeyHost(deps.config) !== null,
    ...rest,
  };
}

async function startTotp(ctx: ServiceCtx) {
  const { db, deps, actor } = ctx;
  await lockOwnAccount(db, actor);
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

/** Accepts and uses up the first code of a new app; undefined for a wrong one. */
async function confirmTotp(ctx: ServiceCtx, code: string): Promise<string[] | undefined> {
  const { deps, actor } = ctx;
  return ctx.db.transaction().execute(async (db) => {
    await lockOwnAccount(db, actor);
    await refuseEnrolled({ ...ctx, db });
    const app = await findTotp(db, actor.user_id, false);
    if (!app) throw invalid('code', text('account.no_app_begun'));
    if (!(await consumeCodeOf(db, deps.ring, app, code))) return undefined;
    await sql`
      delete from authenticators where user_id = ${actor.user_id} and kind = 'totp' and id <> ${app.id}`.execute(db);
    await sql`update authenticators set confirmed_at = now(), updated_at = now() where id = ${app.id}`.execute(db);
    const codes = await replaceRecoveryCodes(db, actor.user_id);
    await raiseSession(db, actor);
    await notifyOwner({ ...ctx, db }, { action: 'account.second_factor_added', variant: 'factor_added' });
    return codes;
  });
}

async function removeTotp(ctx: WriteCtx): Promise<void> {
  const { db, actor } = ctx;
  await lockOwnAccount(db, actor);
  const { totp, passkey, is_due } = await signInRequirements(db, actor.user_id);
  if (!totp) throw invalid('totp', text('account.no_app'));
  if (!passkey && (is_due || (await isBreakGlass(db, actor.user_id))))
    throw invalid('totp', text('account.factor_demanded'));
  await sql`delete from authenticators where user_id = ${actor.user_id} and kind = 'totp'`.execute(db);
  await finishFactorRemoval(db, [actor.user_id]);
  await notifyOwner(ctx, { action: 'account.second_factor_removed', variant: 'factor_removed' });
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
      await lockOwnAccount(ctx.db, ctx.actor);
      if (!hasFactor(await signInRequirements(ctx.db, ctx.actor.user_id)))
        throw invalid('totp', text('account.no_factor'));
      const recovery_codes = await replaceRecoveryCodes(ctx.db, ctx.actor.user_id);
      await notifyOwner(ctx, { action: 'account.recovery_codes_created', variant: 'recovery_codes' });
      return done({ recovery_codes }, text('account.recovery_codes_made'));
    },
  }),
];
