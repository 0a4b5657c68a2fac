import { text } from '@tenure/contract';
import type { BodyOut, PasskeyAnswer, PasskeyRequest, session } from '@tenure/contract';
import { sql } from 'kysely';
import type { Transaction } from 'kysely';
import { endStep, proofIn, stepTries, takeStepTry, tryCode, wrongProof } from '../../access/code-tries.ts';
import type { StepProof } from '../../access/code-tries.ts';
import { validateIssuedPassword } from '../../access/credentials.ts';
import type { PasswordUse } from '../../access/credentials.ts';
import { deviceKey } from '../../access/known-origins.ts';
import { findTotp, recoveryCodesLeft, consumeProof } from '../../access/second-factors.ts';
import { violatedGuard } from '../../access/sessions.ts';
import { record } from '../../audit.ts';
import { credentialsOf, lockPasskey } from '../../access/passkeys.ts';
import { randomToken } from '../../crypto/crypto.ts';
import type { Db } from '../../db/connect.ts';
import type { DB } from '../../db/schema.ts';
import type { Ctx, Deps } from '../../http/context.ts';
import { invalid } from '../../http/errors.ts';
import type { PendingStep, ThroughProvider } from '../../http/flow-cookies.ts';
import { notifyManyCodes, notifyRecoveryCodeUsed } from '../../notifications/own-account.ts';
import { beginSession } from '../../sign-in/begin-session.ts';
import type { SignedIn, SignInRequest } from '../../sign-in/begin-session.ts';
import { usePasskey } from '../../sign-in/passkey-answer.ts';
import { passkeyHost, requestOf } from '../../sign-in/passkey-host.ts';
import { isStillSignedIn, staysSignedIn } from '../../sso/pending.ts';
import { accountBefore, passwordUse } from './login.ts';

/** One response if there is no pending sign-in: none began, it expired, used up its attempts or ended otherwise. */
const signInAgain = () => invalid('sign_in', text('account.sign_in_again'));

const usablePassword = sql`
  (users.password_sign_in
   and (not users.must_change_password or (users.one_time_password and users.password_expires_at > now())))`;

/** True if the person is still linked to the provider. */
const stillThrough = (through: ThroughProvider) => sql`
  not users.break_glass
  and exists (select from identity_providers p join user_identities n on n.provider_id = p.id
              where p.id = ${through.provider_id} and p.is_enabled and n.user_id = users.id
                and ${isStillSignedIn(through)}
                and (p.entity_ids is null or not exists (
                  select from employees e where e.user_id = users.id and (e.entity_id = any(p.entity_ids)) is not true)))`;

/** The account `users` of a pending sign-in, unless its sessions ended meanwhile or it can no longer sign in. */
const stillPending = ({ user_id, epoch, global_epoch, through }: PendingStep) => sql`
  users.id = ${user_id} and users.session_epoch = ${epoch} and users.is_enabled
  and (select i.global_epoch from installation i) = ${global_epoch}
  and ${through ? stillThrough(through) : usablePassword}
  and not exists (select from employees e where e.user_id = users.id
                  and not may_sign_in(e.activity_status, e.early_access, e.deleted_at))`;

type Account = { email: string; name: string; entity_id: number | null; break_glass: boolean };

async function findPending(db: Db, step: PendingStep): Promise<Account | undefined> {
  const { rows } = await sql<Account>`
    select users.email, coalesce(p.name, users.email) as name, p.entity_id, users.break_glass
    from users left join employees p on p.user_id = users.id
    where ${stillPending(step)}`.execute(db);
  return rows[0];
}

/** Uses up a one-time password, like a sign-in without a second step; one through a provider has none. */
async function consume(db: Db, step: PendingStep): Promise<boolean> {
  if (step.through) {
    const { numAffectedRows } = await sql`
      update users set last_login_at = now() where ${stillPending(step)} and ${staysSignedIn(step.through)}`.execute(
      db,
    );
    return numAffectedRows === 1n;
  }
  const { rows } = await sql<PasswordUse>`
    update users set one_time_password = false, password_unused = false, last_login_at = now() from ${accountBefore}
    where f.id = users.id and ${stillPending(step)} returning ${passwordUse}`.execute(db);
  return rows[0] !== undefined && validateIssuedPassword(db, rows[0]);
}

/**
 * The options for continuing a sign-in after the password: a code of the app, or a passkey, whose challenge is stored
 * with the pending sign-in. Throws 422 on `sign_in` if the user must sign in again.
 */
export async function startSecondStep({
  deps,
  credentials,
  setCookies,
}: Pick<Ctx, 'deps' | 'credentials' | 'setCookies'>): Promise<{ totp: boolean; options: PasskeyRequest | null }> {
  const { sessionCookies, db } = deps;
  const step = sessionCookies.flowOf(credentials, 'second_factor');
  if (!step || !(await findPending(db, step))) throw signInAgain();
  const host = passkeyHost(deps.config);
  const known = host ? await credentialsOf(db, step.user_id, host.rp_id) : [];
  const totp = (await findTotp(db, step.user_id, true)) !== undefined;
  if (!host || known.length === 0) return { totp, options: null };
  const challenge = randomToken(32);
  const flow = sessionCookies.continueFlow(credentials, 'second_factor', { ...step, challenge });
  setCookies([...sessionCookies.sameCookies(credentials), flow]);
  return { totp, options: requestOf(host, challenge, known) };
}

type SecondStepAttempt = SignInRequest & { step: PendingStep; account: Account; proof: StepProof };

/** A recovery code was used: the person may have lost the app, or someone found the codes. */
async function notifyRecovery(
  db: Transaction<DB>,
  { step, account, request }: SecondStepAttempt,
  { session_id }: SignedIn,
) {
  const left = await recoveryCodesLeft(db, step.user_id);
  await record(
    { db, actor: { user_id: step.user_id, name: account.name }, request },
    {
      action: 'account.recovery_code_used',
      subject_id: step.user_id,
      subject_label: account.name,
      entity_id: account.entity_id,
    },
  );
  await notifyRecoveryCodeUsed(db, step.user_id, { session_id, left, ...request });
}

/** Uses the requested passkey. Returns undefined for a wrong response; throws 422 if none was requested. */
async function passkeyOf(
  deps: Deps,
  { step, request }: SecondStepAttempt,
  credential: PasskeyAnswer,
): Promise<number | undefined> {
  const { challenge, user_id } = step;
  if (challenge === undefined) throw invalid('credential', text('account.passkey_restart'));
  return (await usePasskey({ deps, request }, { challenge, user_id, credential }))?.id;
}

/** Locks the provider for its longest session: a change comes before, or comes after and shortens this session. */
async function lockMaxHours(db: Db, { provider_id }: ThroughProvider): Promise<number | null> {
  const { rows } = await sql<{ hours: number | null }>`
    select session_max_hours as hours from identity_providers where id = ${provider_id} for key share`.execute(db);
  return rows[0]?.hours ?? null;
}

async function finish(deps: Deps, attempt: SecondStepAttempt, failures: number): Promise<SignedIn | undefined> {
  const { step, proof, account } = attempt;
  const authenticator_id = 'credential' in proof ? await passkeyOf(deps, attempt, proof.credential) : null;
  if (authenticator_id === undefined) return undefined;
  const { through } = step;
  const work = deps.db.transaction().execute(async (db) => {
    // lock the provider before the account, like other changes of both
    const maxHours = through ? await lockMaxHours(db, through) : null;
    if (!('credential' in proof) && !(await consumeProof(db, deps.ring, step.user_id, proof))) return undefined;
    if (authenticator_id !== null && !(await lockPasskey(db, authenticator_id, step.user_id))) throw signInAgain();
    if (!(await consume(db, step))) throw signInAgain();
    const provider = through && ({ method: 'sso', provider_id: through.provider_id, sso_sid: through.sid } as const);
    const marks = { factors: 2, authenticator_id, ...provider };
    const created = await beginSession(deps, db, attempt, {
      userId: step.user_id,
      failures,
      break_glass: account.break_glass,
      marks,
      maxHours,
    });
    if ('recovery_code' in proof) await notifyRecovery(db, attempt, created);
    return created;
  });
  return work.catch((error: unknown) => {
    throw violatedGuard(error) ? signInAgain() : error;
  });
}

/** Counts a wrong code; the last one ends the sign-in and notifies the person: the sender knows the password. */
async function afterWrongCode(deps: Deps, { step, request }: SecondStepAttempt, tries: number): Promise<void> {
  const line = { request_id: request.id, user_id: step.user_id, ip: request.ip };
  deps.log.warn({ event: 'second_factor_failed', ...line }, 'a wrong code was sent to sign in');
  if (tries >= stepTries) await notifyManyCodes(deps.db, step.user_id, { step: step.id, count: tries, ...request });
}

/**
 * Continues a sign-in after the password: starts the session if a code of the account is correct. Throws 422 for a
 * wrong code, 422 on `sign_in` if the user must sign in again, 429 beyond the limits.
 */
export async function takeSecondStep(
  deps: Deps,
  body: BodyOut<typeof session.secondStep>,
  { request, credentials }: SignInRequest,
): Promise<SignedIn> {
  const step = deps.sessionCookies.flowOf(credentials, 'second_factor');
  const account = step && (await findPending(deps.db, step));
  if (!step || !account) throw signInAgain();
  const { proof, field } = proofIn(body);
  const attempt = { request, credentials, step, account, proof };
  const device = deps.sessionCookies.deviceOf(credentials);
  const from = { ip: request.ip, device: device && deviceKey(device) };
  const line = { request_id: request.id, user_id: step.user_id, ip: request.ip };
  const onLimit = () =>
    deps.log.warn({ event: 'second_factor_limited', ...line }, 'too many wrong second-factor codes');
  let tries = 0;
  const created = await tryCode(deps.db, { email: account.email, from, field, onLimit }, async (failures) => {
    const taken = await takeStepTry(deps.db, step.id);
    if (taken === undefined) throw signInAgain();
    tries = taken;
    return finish(deps, attempt, await failures());
  });
  if (!created) {
    await afterWrongCode(deps, attempt, tries);
    throw wrongProof(field);
  }
  await endStep(deps.db, step.id);
  deps.log.info({ event: 'login_ok', ...line }, 'signed in');
  return created;
}
