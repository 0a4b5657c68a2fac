import { messages } from '@tenure/contract';
import type { BodyOut, stepUp as declared } from '@tenure/contract';
import { sql } from 'kysely';
import type { Kysely } from 'kysely';
import { proofIn, tryCode, wrongCode } from '../../access/code-tries.ts';
import { recoveryCodesLeft, spendProof } from '../../access/second-factors.ts';
import type { FactorProof } from '../../access/second-factors.ts';
import { markProved } from '../../access/sessions.ts';
import { record } from '../../audit.ts';
import type { Db } from '../../db/connect.ts';
import type { DB } from '../../db/schema.ts';
import type { ServiceCtx } from '../../http/context.ts';
import { invalid } from '../../http/errors.ts';
import type { HttpError } from '../../http/errors.ts';
import { notifyRecoveryCodeUsed } from '../../notifications/own-account.ts';
import { knowsPassword, loadAccount } from './password-change.ts';

type Proof = BodyOut<typeof declared.prove>;

const lineOf = ({ actor, request }: ServiceCtx) => ({
  request_id: request.id,
  user_id: actor.user_id,
  ip: request.ip,
});

/** Tries a code of the own account under the limits of codes. `work` returns false for a wrong one. */
export async function isRightCode(ctx: ServiceCtx, field: string, work: () => Promise<boolean>): Promise<boolean> {
  const { db, deps, actor, request } = ctx;
  const { rows } = await sql<{ device: string | null }>`
    select device from session_register where id = ${actor.session_id}`.execute(db);
  const from = { ip: request.ip, device: rows[0]?.device ?? null };
  const onLimit = () => deps.log.warn({ event: 'second_factor_limited', ...lineOf(ctx) }, 'codes limited');
  const right = await tryCode(deps.db, { email: actor.email, from, field, onLimit }, async () =>
    (await work()) ? true : undefined,
  );
  return right === true;
}

/** A recovery code was used: the person may have lost the app, or someone found the codes. */
async function tellRecovery(db: Db, { actor, request }: ServiceCtx): Promise<void> {
  const { rows } = await sql<{ entity_id: number | null }>`
    select entity_id from employees where user_id = ${actor.user_id}`.execute(db);
  await record(
    { db, actor, request },
    {
      action: 'account.recovery_code_used',
      subject_id: actor.user_id,
      subject_label: actor.name,
      entity_id: rows[0]?.entity_id ?? null,
    },
  );
  const left = await recoveryCodesLeft(db, actor.user_id);
  await notifyRecoveryCodeUsed(db, actor.user_id, { left, ...request });
}

const spend = (ctx: ServiceCtx, proof: FactorProof): Promise<boolean> =>
  (ctx.db as Kysely<DB>).transaction().execute(async (db) => {
    if (!(await spendProof(db, ctx.deps.ring, ctx.actor.user_id, proof))) return false;
    if ('recovery_code' in proof) await tellRecovery(db, ctx);
    return true;
  });

/** The refusal of a wrong proof; undefined for a right one. */
async function wrongProof(ctx: ServiceCtx, sent: Proof): Promise<HttpError | undefined> {
  if (ctx.actor.second_factor?.totp) {
    const { proof, field } = proofIn(sent);
    const isRight = await isRightCode(ctx, field, () => spend(ctx, proof));
    return isRight ? undefined : wrongCode(field);
  }
  const { password } = sent;
  if (!password) throw invalid('password', messages.required);
  const knows = await knowsPassword(ctx, await loadAccount(ctx), { field: 'password', password });
  return knows ? undefined : invalid('password', messages.currentPassword);
}

/**
 * Accepts a code of the account's second factor, without one the password, as proof that the person of this session is
 * still there. Throws 422 for a wrong one, 429 beyond the limits of a sign-in.
 */
export async function stepUp(ctx: ServiceCtx, sent: Proof): Promise<void> {
  const { db, deps, actor } = ctx;
  const refusal = await wrongProof(ctx, sent);
  if (refusal) {
    deps.log.warn({ event: 'step_up_failed', ...lineOf(ctx) }, 'a wrong proof was sent to confirm an action');
    throw refusal;
  }
  await markProved(db, actor.session_id);
  deps.log.info({ event: 'step_up_ok', ...lineOf(ctx) }, 'a person confirmed that it is them');
}
