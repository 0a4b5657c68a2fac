import { text } from '@tenure/contract';
import { sql } from 'kysely';
import { deviceKey } from '../../access/known-origins.ts';
import { validateIssuedPassword } from '../../access/credentials.ts';
import type { PasswordUse } from '../../access/credentials.ts';
import { violatedGuard } from '../../access/sessions.ts';
import { reserveTry } from '../../access/login-limits.ts';
import type { Reservation } from '../../access/login-limits.ts';
import { signInRequirements, hasFactor } from '../../access/second-factors.ts';
import { randomToken, sha256Hex } from '../../crypto/crypto.ts';
import { needsRehash } from '../../crypto/passwords.ts';
import type { Db } from '../../db/connect.ts';
import type { Deps, RequestInfo } from '../../http/context.ts';
import { invalid, tooManyLogins } from '../../http/errors.ts';
import type { PendingStep } from '../../http/flow-cookies.ts';
import type { Credentials } from '../../http/session-cookies.ts';
import { beginSession } from '../../sign-in/begin-session.ts';
import type { SignedIn, SignInRequest } from '../../sign-in/begin-session.ts';
import { deleteFirstPassword } from './first-password.ts';

const noMatch = text('account.wrong_credentials');

type Account = {
  id: number;
  password_hash: string | null;
  break_glass: boolean;
  may_sign_in: boolean;
  epoch: number;
  global_epoch: number;
};

/** The account of an address; `may_sign_in` is false for people who left or whose first
 * day is to come, and for used or expired one-time passwords. */
async function findAccount(db: Db, email: string): Promise<Account | undefined> {
  const { rows } = await sql<Account>`
    select u.id, u.password_hash, u.break_glass, u.session_epoch as epoch, i.global_epoch,
           u.is_enabled and u.password_sign_in and u.password_hash is not null
           and (e.id is null or may_sign_in(e.activity_status, e.early_access, e.deleted_at))
           and (not u.must_change_password or (u.one_time_password and u.password_expires_at > now())) as may_sign_in
    from users u cross join installation i left join employees e on e.user_id = u.id
    where u.email = ${email}`.execute(db);
  return rows[0];
}

/** Releases the attempt if the password was not checked, because only failures count. */
async function cancelOnError<T>(reservation: Reservation, work: Promise<T>): Promise<T> {
  return work.catch(async (error: unknown) => {
    await reservation.cancel();
    throw error;
  });
}

/** Compares at equal cost for known and unknown accounts, so that the response time reveals nothing. */
async function passes(deps: Deps, account: Account | undefined, password: string): Promise<boolean> {
  if (!account?.password_hash || !account.may_sign_in) {
    await deps.hashing.dummy(password);
    return false;
  }
  return deps.hashing.verify(password, account.password_hash);
}

/** True if an account manages people through reporting lines or departments. */
const managesPeopleAs = (account: string) => sql<boolean>`
  exists (select from role_assignments h join roles r on r.id = h.role_id
          where h.user_id = ${sql.ref(account)} and (r.scope = 'managed' or h.department_ids is not null))`;

/** The same for the account `u`. */
export const managesPeople = managesPeopleAs('u.id');

/** The row of the account `users` before a sign-in, next to the row that the sign-in writes. */
export const accountBefore = sql`users f`;

/** How a password was used, for the account `users` with `accountBefore`. */
export const passwordUse = sql`
  users.id, users.password_issued_by as issuer, users.must_change_password as is_one_time,
  f.password_unused as is_unused, ${managesPeopleAs('users.id')} as has_people`;

/**
 * Uses up a one-time password; of parallel calls, one returns true. Checks that an ordinary password is still valid.
 */
async function consume(db: Db, userId: number, passwordHash: string): Promise<boolean> {
  const { rows } = await sql<PasswordUse>`
    update users set one_time_password = false, password_unused = false, last_login_at = now() from ${accountBefore}
    where f.id = users.id and users.id = ${userId} and users.password_hash = ${passwordHash}
      and (not users.must_change_password or (users.one_time_password and users.password_expires_at > now()))
    returning ${passwordUse}`.execute(db);
  return rows[0] !== undefined && validateIssuedPassword(db, rows[0]);
}

async function rehash(deps: Deps, account: Account, password: string): Promise<void> {
  if (!account.password_hash || !needsRehash(account.password_hash, deps.config.BCRYPT_COST)) return;
  const password_hash = await deps.hashing.hash(password);
  await deps.db
    .updateTable('users')
    .set({ password_hash })
    .where('id', '=', account.id)
    .where('password_hash', '=', account.password_hash)
    .execute();
}

type SignInFields = { email: string; password: string };
/** A correct password that does not suffice gets the same response as a wrong one. */
function logPolicyRefusal(deps: Deps, userId: number, reason: string): undefined {
  deps.log.warn(
    { event: 'login_refused_by_policy', user_id: userId, reason },
    'a sign-in rule refused a right password',
  );
}

type SignInResult = SignedIn | { pending: PendingStep };

/** Starts the session of a correct password, or requests the account's second factor; undefined for a wrong one. */
async function authenticate(
  deps: Deps,
  account: Account | undefined,
  { password, failures }: { password: string } & Pick<Reservation, 'failures'>,
  asked: SignInRequest,
): Promise<SignInResult | undefined> {
  if (!(await passes(deps, account, password))) return undefined;
  const { id, password_hash, break_glass, epoch, global_epoch } = account as Account & { password_hash: string };
  const requirements = await signInRequirements(deps.db, id);
  const { is_due, sso_required } = requirements;
  if (sso_required) return logPolicyRefusal(deps, id, 'session_register_sign_in_policy');
  // nothing is used up yet: a one-time password is used up after the second step
  if (hasFactor(requirements)) return { pending: { id: randomToken(16), user_id: id, epoch, global_epoch } };
  const failed = await failures();
  const work = deps.db.transaction().execute(async (db) => {
    if (!(await consume(db, id, password_hash))) return undefined;
    return beginSession(deps, db, asked, { userId: id, failures: failed, break_glass, marks: { enrol_only: is_due } });
  });
  return work.catch((error: unknown) => {
    const reason = violatedGuard(error);
    if (!reason) throw error;
    return logPolicyRefusal(deps, id, reason);
  });
}

/**
 * Signs in: starts a new session and ends the sent one, or asks for the second factor. Throws 422 with one message for
 * every mismatch, 429 beyond the limits, even with the correct password.
 */
export async function signIn(
  deps: Deps,
  { email, password }: SignInFields,
  request: RequestInfo,
  credentials: Credentials,
): Promise<SignInResult> {
  const device = deps.sessionCookies.deviceOf(credentials);
  const from = { ip: request.ip, device: device && deviceKey(device) };
  const reservation = await reserveTry(deps.db, email, from);
  if ('wait' in reservation) {
    deps.log.warn({ event: 'login_limited', request_id: request.id, ip: request.ip }, 'too many sign-in attempts');
    throw tooManyLogins(reservation.wait);
  }
  const { failures } = reservation;
  const account = await cancelOnError(reservation, findAccount(deps.db, email));
  const session = await cancelOnError(
    reservation,
    authenticate(deps, account, { password, failures }, { request, credentials }),
  );
  if (!session || !account) {
    const who = account ? { user_id: account.id } : { email_hash: sha256Hex(email).slice(0, 16) };
    await reservation.fail();
    deps.log.warn({ event: 'login_failed', request_id: request.id, ip: request.ip, ...who }, 'a sign-in was refused');
    throw invalid('email', noMatch);
  }
  await reservation.release();
  // a full queue must not refuse a correct password
  await rehash(deps, account, password).catch(() => undefined);
  if ('pending' in session) return session;
  await deleteFirstPassword(deps.config.DATA_DIR, email).catch((error: unknown) =>
    deps.log.warn(
      { event: 'first_admin_file_left', err: error },
      'the file with the first one-time password could not be removed: delete it',
    ),
  );
  deps.log.info({ event: 'login_ok', request_id: request.id, user_id: account.id, ip: request.ip }, 'signed in');
  return session;
}
