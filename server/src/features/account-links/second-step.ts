import { text } from '@tenure/contract';
import type { accountLinks, BodyOut, Reply } from '@tenure/contract';
import { proofIn, stepTries, takeStepTry, tryCode, wrongProof } from '../../access/code-tries.ts';
import type { StepProof } from '../../access/code-tries.ts';
import type { OpenLink } from '../../access/account-links.ts';
import { deviceKey } from '../../access/known-origins.ts';
import { credentialsOf, lockPasskey } from '../../access/passkeys.ts';
import {
  signInRequirements,
  findTotp,
  hasFactor,
  recoveryCodesLeft,
  consumeProof,
} from '../../access/second-factors.ts';
import { record } from '../../audit.ts';
import { randomToken } from '../../crypto/crypto.ts';
import type { Db } from '../../db/connect.ts';
import type { Ctx, GuestCtx } from '../../http/context.ts';
import { invalid } from '../../http/errors.ts';
import { notifyLinkCodes, notifyRecoveryCodeUsed } from '../../notifications/own-account.ts';
import { usePasskey } from '../../sign-in/passkey-answer.ts';
import { passkeyHost, requestOf } from '../../sign-in/passkey-host.ts';

/** A link proves only that its user reads the mails of an account. A second factor must be proved as well. */

export type ProvingCtx = GuestCtx & Pick<Ctx, 'credentials'>;

/** True when the account needs a second factor along with a link. */
export const wantsFactor = async (db: Db, userId: number): Promise<boolean> =>
  hasFactor(await signInRequirements(db, userId));

/** The available second factors; the challenge of a passkey goes into the cookie of the browser. */
export async function factorOptions(
  { deps, credentials, setCookies }: ProvingCtx & Pick<Ctx, 'setCookies'>,
  userId: number,
): Promise<Reply<typeof accountLinks.options>['data']> {
  const { db, sessionCookies, config } = deps;
  const host = passkeyHost(config);
  const known = host ? await credentialsOf(db, userId, host.rp_id) : [];
  const totp = (await findTotp(db, userId, true)) !== undefined;
  if (!host || known.length === 0) return { totp, options: null };
  const challenge = randomToken(32);
  const flow = sessionCookies.beginFlow('passkey', { purpose: 'link', user_id: userId, challenge });
  setCookies([...sessionCookies.sameCookies(credentials), flow]);
  return { totp, options: requestOf(host, challenge, known) };
}

/** The account of a link, with the name of its owner. */
export type Owner = { user_id: number; email: string; name: string; entity_id: number | null };

/** Uses up a valid proof in the transaction that it permits; false when another request used it meanwhile. */
export type Consume = (db: Db) => Promise<boolean>;

/** Uses the passkey requested for this account. Returns its id, or undefined for a wrong response. */
async function passkeyOf(
  { deps, request, credentials }: ProvingCtx,
  user_id: number,
  { credential }: Extract<StepProof, { credential: unknown }>,
): Promise<number | undefined> {
  const flow = deps.sessionCookies.flowOf(credentials, 'passkey');
  if (flow?.purpose !== 'link' || flow.user_id !== user_id)
    throw invalid('credential', text('account.passkey_restart'));
  return (await usePasskey({ deps, request }, { challenge: flow.challenge, user_id, credential }))?.id;
}

/** A recovery code was used: the person may have lost the app, or someone found the codes. */
async function notifyRecovery(db: Db, { request }: ProvingCtx, { user_id, name, entity_id }: Owner): Promise<void> {
  await record(
    { db, actor: { user_id, name }, request },
    { action: 'account.recovery_code_used', subject_id: user_id, subject_label: name, entity_id },
  );
  await notifyRecoveryCodeUsed(db, user_id, { left: await recoveryCodesLeft(db, user_id), ...request });
}

async function consumerOf(ctx: ProvingCtx, owner: Owner, proof: StepProof): Promise<Consume | undefined> {
  const { user_id } = owner;
  if ('credential' in proof) {
    const id = await passkeyOf(ctx, user_id, proof);
    return id === undefined ? undefined : (db) => lockPasskey(db, id, user_id);
  }
  return async (db) => {
    if (!(await consumeProof(db, ctx.deps.ring, user_id, proof))) return false;
    if ('recovery_code' in proof) await notifyRecovery(db, ctx, owner);
    return true;
  };
}

/** Logs a wrong proof, and notifies the person after several with one link: the sender reads the person's mails. */
async function afterWrong({ deps, request }: ProvingCtx, { user_id }: Owner, link: string): Promise<void> {
  const line = { request_id: request.id, user_id, ip: request.ip };
  deps.log.warn({ event: 'second_factor_failed', ...line }, 'a wrong code was sent with a link');
  // counted, but the link stays valid: otherwise a user who reads the mails could use it up
  const count = await takeStepTry(deps.db, link);
  if (count === stepTries) await notifyLinkCodes(deps.db, user_id, { link, count, ...request });
}

/**
 * Does what a link permits after a second factor is proved, within the limits of sign-ins. `work` uses the proof up and
 * returns false for a wrong one. Throws 422 without a proof or for a wrong one, 429 beyond the limits.
 */
export async function withFactor(
  ctx: ProvingCtx,
  { link, owner, sent }: { link: OpenLink; owner: Owner; sent: BodyOut<typeof accountLinks.redeem> },
  work: (consume: Consume) => Promise<boolean>,
): Promise<void> {
  const { deps, request, credentials } = ctx;
  const { proof, field } = proofIn(sent);
  const device = deps.sessionCookies.deviceOf(credentials);
  const from = { ip: request.ip, device: device && deviceKey(device) };
  const line = { request_id: request.id, user_id: owner.user_id, ip: request.ip };
  const onLimit = () =>
    deps.log.warn({ event: 'second_factor_limited', ...line }, 'too many wrong second-factor codes');
  const isRight = await tryCode(deps.db, { email: owner.email, from, field, onLimit }, async () => {
    const consume = await consumerOf(ctx, owner, proof);
    return (consume && (await work(consume))) || undefined;
  });
  if (isRight) return;
  await afterWrong(ctx, owner, `${link.purpose}-${link.id}`);
  throw wrongProof(field);
}
