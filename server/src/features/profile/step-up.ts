import { messages, text } from '@tenure/contract';
import type { BodyOut, Reply, stepUp as declared } from '@tenure/contract';
import { sql } from 'kysely';
import { proofIn, tryCode, wrongProof as refusalOf } from '../../access/code-tries.ts';
import type { StepProof } from '../../access/code-tries.ts';
import { credentialsOf } from '../../access/passkeys.ts';
import { hasFactor, recoveryCodesLeft, consumeProof } from '../../access/second-factors.ts';
import type { FactorProof } from '../../access/second-factors.ts';
import { markProved } from '../../access/sessions.ts';
import { record } from '../../audit.ts';
import { randomToken } from '../../crypto/crypto.ts';
import type { Db } from '../../db/connect.ts';
import type { Ctx, ServiceCtx } from '../../http/context.ts';
import { invalid } from '../../http/errors.ts';
import type { HttpError } from '../../http/errors.ts';
import { proofsOf } from '../../http/permission.ts';
import { notifyRecoveryCodeUsed } from '../../notifications/own-account.ts';
import { usePasskey } from '../../sign-in/passkey-answer.ts';
import { passkeyHost, requestOf } from '../../sign-in/passkey-host.ts';
import { startFlow } from '../../sso/start.ts';
import { knowsPassword, loadAccount } from './password-change.ts';

type Proof = BodyOut<typeof declared.prove>;
type ProofCtx = ServiceCtx & Pick<Ctx, 'credentials'>;
type Options = Reply<typeof declared.options>['data'];

/** The passkey request for the account; null if it has no passkey that works here. */
async function passkeyOptions(ctx: Ctx): Promise<Options['options']> {
  const { db, deps, actor, credentials, setCookies } = ctx;
  const host = passkeyHost(deps.config);
  const known = host ? await credentialsOf(db, actor.user_id, host.rp_id) : [];
  if (!host || known.length === 0) return null;
  const challenge = randomToken(32);
  const { sessionCookies } = deps;
  const flow = sessionCookies.beginFlow('passkey', { purpose: 'step_up', user_id: actor.user_id, challenge });
  setCookies([...sessionCookies.sameCookies(credentials), flow]);
  return requestOf(host, challenge, known);
}

/** How the user of the session can prove their identity, with what a browser needs for it. */
export async function stepUpOptions(ctx: Ctx, next: string | null): Promise<Options> {
  const { actor } = ctx;
  const proofs = proofsOf(actor);
  const { provider_id, user_id } = actor;
  const goes = proofs.includes('provider') && typeof provider_id === 'number' && provider_id;
  const url = goes ? (await startFlow(ctx, goes, { kind: 'step_up', user_id, next })).url : null;
  return { proofs, options: proofs.includes('passkey') ? await passkeyOptions(ctx) : null, url };
}

const lineOf = ({ actor, request }: ServiceCtx) => ({
  request_id: request.id,
  user_id: actor.user_id,
  ip: request.ip,
});

/** Tries a code of the user's account within the limits of codes. `work` returns false for a wrong one. */
export async function isRightCode(ctx: ServiceCtx, field: string, work: () => Promise<boolean>): Promise<boolean> {
  const { db, deps, actor, request } = ctx;
  const { rows } = await sql<{ device: string | null }>`
    select device from session_register where id = ${actor.session_id}`.execute(db);
  const from = { ip: request.ip, device: rows[0]?.device ?? null };
  const onLimit = () =>
    deps.log.warn({ event: 'second_factor_limited', ...lineOf(ctx) }, 'too many wrong second-factor codes');
  const right = await tryCode(deps.db, { email: actor.email, from, field, onLimit }, async () =>
    (await work()) ? true : undefined,
  );
  return right === true;
}

/** A recovery code was used: the person may have lost the app, or someone found the codes. */
async function notifyRecovery(db: Db, { actor, request }: ServiceCtx): Promise<void> {
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

/** Uses the passkey that was requested for this. Throws 422 if none was. */
async function isRightPasskey(ctx: ProofCtx, { credential }: Extract<StepProof, { credential: unknown }>) {
  const { deps, actor, request, credentials } = ctx;
  const flow = deps.sessionCookies.flowOf(credentials, 'passkey');
  if (flow?.purpose !== 'step_up' || flow.user_id !== actor.user_id)
    throw invalid('credential', text('account.passkey_restart'));
  const asked = { challenge: flow.challenge, user_id: actor.user_id, credential };
  return (await usePasskey({ deps, request }, asked)) !== undefined;
}

const consumeCode = (ctx: ServiceCtx, proof: FactorProof): Promise<boolean> =>
  ctx.db.transaction().execute(async (db) => {
    if (!(await consumeProof(db, ctx.deps.ring, ctx.actor.user_id, proof))) return false;
    if ('recovery_code' in proof) await notifyRecovery(db, ctx);
    return true;
  });

/** The refusal of a wrong proof; undefined for a correct one. */
async function wrongProof(ctx: ProofCtx, sent: Proof): Promise<HttpError | undefined> {
  if (hasFactor(ctx.actor.second_factor)) {
    const { proof, field } = proofIn(sent);
    const isRight = await isRightCode(ctx, field, () =>
      'credential' in proof ? isRightPasskey(ctx, proof) : consumeCode(ctx, proof),
    );
    return isRight ? undefined : refusalOf(field);
  }
  // the account's password may belong to another person, because the session came from a provider
  if (ctx.actor.method === 'sso') throw invalid('password', text('account.confirm_at_provider'));
  const { password } = sent;
  if (!password) throw invalid('password', messages.required);
  const knows = await knowsPassword(ctx, await loadAccount(ctx), { field: 'password', password });
  return knows ? undefined : invalid('password', messages.currentPassword);
}

/**
 * Accepts a second factor of the account, or the password if there is none, as proof that the user of this session is
 * still there. Throws 422 for a wrong one, 429 beyond the limits of a sign-in.
 */
export async function stepUp(ctx: ProofCtx, sent: Proof): Promise<void> {
  const { db, deps, actor } = ctx;
  const refusal = await wrongProof(ctx, sent);
  if (refusal) {
    deps.log.warn({ event: 'step_up_failed', ...lineOf(ctx) }, 'an action was not confirmed');
    throw refusal;
  }
  await markProved(db, actor.session_id);
  deps.log.info({ event: 'step_up_ok', ...lineOf(ctx) }, 'a person confirmed an action');
}
