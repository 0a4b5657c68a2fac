import type { BodyOut, KeptToken, profile } from '@tenure/contract';
import { messages, text } from '@tenure/contract';
import { sql } from 'kysely';
import { reserveTry } from '../../access/login-limits.ts';
import { lockOwnAccount } from '../../access/own-account.ts';
import { hasFactor } from '../../access/second-factors.ts';
import { isActive, tokenTables } from '../../access/token-tables.ts';
import { createSession, endSessionsOf } from '../../access/sessions.ts';
import type { NewMarks, NewSession } from '../../access/sessions.ts';
import { record } from '../../audit.ts';
import { tokenPrefixes } from '../../crypto/api-token.ts';
import { passwordProblems } from '../../crypto/password-rules.ts';
import type { PasswordContext } from '../../crypto/password-rules.ts';
import { isPasswordTooLong } from '../../crypto/passwords.ts';
import type { ServiceCtx } from '../../http/context.ts';
import { HttpError, invalid, invalidFields, say, tooManyLogins } from '../../http/errors.ts';
import type { FieldErrors } from '../../http/errors.ts';
import { notifyPasswordChanged } from '../../notifications/own-account.ts';
import type { SessionMarks } from '../../access/actor.ts';
import { demandedProviders } from '../../access/demanded-providers.ts';

type Body = BodyOut<typeof profile.changePassword>;
type Account = PasswordContext & {
  password_hash: string | null;
  providers: string | null;
  password_sign_in: boolean;
  /** From here on, columns of the session. */
  device: string | null;
  proved_at: string;
  let_in_by_id: number | null;
  hours_left: number;
} & SessionMarks;

const tooLong = messages.maxCharacters(1_024);

export async function loadAccount({ db, actor }: ServiceCtx): Promise<Account> {
  const { rows } = await sql<Account>`
    select u.password_hash, u.email, e.name, e.employee_number, c.name as entity_name, ${demandedProviders} as providers,
           u.password_sign_in,
           s.device, coalesce(s.proved_at, s.created_at) as proved_at, s.let_in_by_id,
           s.method, s.factors, s.enrol_only, s.provider_id, s.sso_sid, s.authenticator_id,
           extract(epoch from s.expires_at - now())::float8 / 3600 as hours_left
    from users u
    left join session_register s on s.id = ${actor.session_id}
    left join employees e on e.user_id = u.id
    left join entities c on c.id = e.entity_id
    where u.id = ${actor.user_id}`.execute(db);
  return rows[0] as Account;
}

/** Compares within the limits of sign-ins, so that there is no second way to guess. */
export async function knowsPassword(
  { db, deps, actor, request }: ServiceCtx,
  { device, password_hash }: Pick<Account, 'device' | 'password_hash'>,
  { field, password }: { field: string; password: string },
): Promise<boolean> {
  const reservation = await reserveTry(db, actor.email, { ip: request.ip, device });
  if ('wait' in reservation) {
    const { status, body, headers } = tooManyLogins(reservation.wait);
    throw new HttpError(status, { ...body, errors: { [field]: [body.message] } }, headers);
  }
  const looked = password_hash === null ? Promise.resolve(false) : deps.hashing.verify(password, password_hash);
  const right = await looked.catch(async (error: unknown) => {
    await reservation.cancel();
    throw error;
  });
  await (right ? reservation.release() : reservation.fail());
  return right;
}

function problemsOf({ password, password_confirmation, current_password }: Body, account: Account, min: number) {
  if (isPasswordTooLong(password)) return [tooLong];
  return [
    ...passwordProblems(password, { min, context: account }),
    ...(password === password_confirmation ? [] : [messages.confirmed]),
    ...(password === current_password ? [text('account.password_unchanged')] : []),
  ];
}

/** The new session keeps the proofs of the old one; with a factor or a provider, a password proves nothing. */
const marksOf = (
  { second_factor }: ServiceCtx['actor'],
  { method, factors, enrol_only, provider_id, sso_sid, authenticator_id, proved_at, let_in_by_id }: Account,
): NewMarks => ({
  method,
  factors,
  enrol_only,
  provider_id,
  sso_sid,
  authenticator_id,
  let_in_by_id,
  proved_at: hasFactor(second_factor) || method === 'sso' ? proved_at : null,
});

async function store(ctx: ServiceCtx, account: Account, password_hash: string): Promise<NewSession> {
  const { deps, actor, request } = ctx;
  return ctx.db.transaction().execute(async (db) => {
    await lockOwnAccount(db, actor);
    const { numUpdatedRows } = await db
      .updateTable('users')
      .set({
        password_hash,
        one_time_password: false,
        must_change_password: false,
        password_expires_at: null,
        password_unused: false,
      })
      .where('id', '=', actor.user_id)
      .where('password_hash', '=', account.password_hash)
      .executeTakeFirst();
    // a concurrent reset changed the password
    if (numUpdatedRows === 0n) throw invalid('current_password', messages.currentPassword);
    await endSessionsOf(db, [actor.user_id], 'password changed');
    await record(
      { db, actor, request },
      { action: 'account.password_changed', subject_id: actor.user_id, subject_label: actor.name },
    );
    const { ip, user_agent } = request;
    // a session from a provider lasts as long as the provider allowed
    const hours = actor.method === 'sso' ? account.hours_left : Infinity;
    const session = await createSession(
      db,
      actor.user_id,
      { ip, user_agent, device: account.device },
      { ...deps.config, SESSION_MAX_HOURS: Math.min(deps.config.SESSION_MAX_HOURS, hours) },
      marksOf(actor, account),
    );
    await notifyPasswordChanged(db, actor.user_id, session.session_id, request);
    return session;
  });
}

/**
 * Sets the user's own password. Ends all sessions of the account and starts a new one for the caller. Throws 422 with
 * every problem of both passwords, 429 beyond the limits of sign-in attempts.
 */
export async function changePassword(ctx: ServiceCtx, body: Body): Promise<NewSession> {
  const account = await loadAccount(ctx);
  if (!account.password_sign_in) throw invalid('password', text('account.own_password_off'));
  if (account.providers !== null)
    throw invalid('password', text('account.signs_in_through', { provider: account.providers }));
  const errors: FieldErrors = {};
  if (!(await knowsPassword(ctx, account, { field: 'current_password', password: body.current_password })))
    errors.current_password = [say('current_password', messages.currentPassword)];
  const problems = problemsOf(body, account, ctx.deps.config.PASSWORD_MIN_LENGTH);
  if (problems.length > 0) errors.password = problems.map((problem) => say('password', problem));
  if (Object.keys(errors).length > 0) throw invalidFields(errors);
  return store(ctx, account, await ctx.deps.hashing.hash(body.password));
}

/** The personal tokens that still work: changing the user's own password does not revoke them. */
export async function keptTokens({ db, actor }: Pick<ServiceCtx, 'db' | 'actor'>): Promise<KeptToken[]> {
  const { rows } = await sql<KeptToken>`
    select t.id, t.name, ${tokenPrefixes.personal} || '_…' || t.hint as hint, t.expires_at
    from ${tokenTables} where t.user_id = ${actor.user_id} and t.kind = 'personal' and ${isActive}
    order by fold(t.name), t.id`.execute(db);
  return rows;
}
