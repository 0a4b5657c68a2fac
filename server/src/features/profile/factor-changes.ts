import { text } from '@tenure/contract';
import type { AuditAction } from '@tenure/contract';
import { sql } from 'kysely';
import { bumpAccessVersion, isProofCurrent, signInRequirements, hasFactor } from '../../access/second-factors.ts';
import { record } from '../../audit.ts';
import type { Change } from '../../audit.ts';
import { newRecoveryCodes, recoveryHash } from '../../crypto/recovery-codes.ts';
import type { Db } from '../../db/connect.ts';
import type { ServiceCtx, WriteCtx } from '../../http/context.ts';
import { forbidden, unauthenticated } from '../../http/errors.ts';
import { notProved } from '../../http/permission.ts';
import { notifyFactor } from '../../notifications/own-account.ts';
import type { OwnFactorVariant } from '../../notifications/own-account.ts';

/** Shared parts of changes to the user's own factors. */

/**
 * A session that can only add the first factor is not valid for an account that has one, and no session can add another
 * factor that it began to add before.
 */
export async function refuseEnrolled({ db, deps, actor }: Pick<ServiceCtx, 'db' | 'deps' | 'actor'>): Promise<void> {
  const second_factor = await signInRequirements(db, actor.user_id);
  if (actor.enrol_only && hasFactor(second_factor)) throw forbidden(text('account.second_factor_required'));
  const { method = 'password', proved_at } = actor;
  const counts = proved_at === undefined || isProofCurrent(proved_at, second_factor);
  if (deps.config.STEP_UP_MINUTES > 0 && !counts) throw notProved({ second_factor, method });
}

/** Creates new recovery codes and deletes all earlier ones. */
export async function replaceRecoveryCodes(db: Db, userId: number): Promise<string[]> {
  const codes = newRecoveryCodes();
  await sql`delete from recovery_codes where user_id = ${userId}`.execute(db);
  await sql`
    insert into recovery_codes (user_id, hash)
    select ${userId}, h from unnest(${codes.map(recoveryHash)}::text[]) as h`.execute(db);
  return codes;
}

type OwnerNotice = {
  action: Extract<AuditAction, `account.${string}`>;
  /** Absent if no alert is needed. */
  variant?: OwnFactorVariant;
  changes?: Record<string, Change>;
};

/** Records a change of the user's own factors and notifies the person, because it may have been an attacker. */
export async function notifyOwner(
  { db, actor, request }: WriteCtx,
  { action, variant, changes }: OwnerNotice,
): Promise<void> {
  const { rows } = await sql<{ entity_id: number | null }>`
    select entity_id from employees where user_id = ${actor.user_id}`.execute(db);
  await record(
    { db, actor, request },
    {
      action,
      subject_id: actor.user_id,
      subject_label: actor.name,
      entity_id: rows[0]?.entity_id ?? null,
      ...(changes && { changes }),
    },
  );
  if (variant) await notifyFactor(db, actor.user_id, { variant, round: request.id, ...request });
}

/**
 * Upgrades the session that added a factor, which has proved it. Ends sessions without a second factor, because one of
 * them may be a stranger's, who could remove it again.
 */
export async function raiseSession(db: Db, { user_id, session_id }: WriteCtx['actor']): Promise<void> {
  const { numAffectedRows } = await sql`
    update session_register set enrol_only = false, factors = 2, proved_at = now()
    where id = ${session_id} and revoked_at is null`.execute(db);
  // the session ended during the request, to keep this user out
  if (numAffectedRows === 0n) throw unauthenticated();
  await sql`
    update session_register set revoked_at = now(), reason = 'second factor added'
    where user_id = ${user_id} and factors < 2 and revoked_at is null`.execute(db);
  await sql`update users set must_enrol = false where id = ${user_id} and must_enrol`.execute(db);
  await bumpAccessVersion(db, user_id);
}

/** Only an account with a second factor can be an emergency account. */
export async function isBreakGlass(db: Db, userId: number): Promise<boolean> {
  const { rows } = await sql`select from users where id = ${userId} and break_glass`.execute(db);
  return rows.length > 0;
}
