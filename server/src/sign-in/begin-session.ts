import { sql } from 'kysely';
import type { Transaction } from 'kysely';
import { deviceKey, rememberOrigin } from '../access/known-origins.ts';
import { AccountOff, createSession, endSession } from '../access/sessions.ts';
import type { NewMarks, NewSession } from '../access/sessions.ts';
import { newDeviceId } from '../crypto/device-cookie.ts';
import type { DB } from '../db/schema.ts';
import type { Deps, RequestInfo } from '../http/context.ts';
import type { Credentials } from '../http/session-cookies.ts';
import { acceptedLanguage } from '../languages/accept.ts';
import { notifySignIn } from '../notifications/own-account.ts';
import { recordBreakGlassUse } from '../sso/break-glass.ts';

/** `device` is the browser, now known. */
export type SignedIn = NewSession & { device: Uint8Array };

export type SignInRequest = { request: RequestInfo; credentials: Credentials };

type Beginning = {
  userId: number;
  failures: number;
  break_glass: boolean;
  marks: NewMarks;
  /** The longest session for this way to sign in, if shorter than the installation's. */
  maxHours?: number | null;
};

/** Records the browser's language, in which users who chose no language get their mails. */
async function storeLanguage(db: Transaction<DB>, userId: number, { accept_language }: RequestInfo): Promise<void> {
  const locale = acceptedLanguage(accept_language);
  if (locale !== undefined)
    await sql`
      update users set locale = ${locale} where id = ${userId} and not locale_chosen and locale <> ${locale}`.execute(
      db,
    );
}

/** Starts a session that replaces the presented one, and stores its browser. Throws an error of a guard (`violatedGuard`). */
export async function beginSession(
  deps: Deps,
  db: Transaction<DB>,
  { request, credentials }: SignInRequest,
  { userId, failures, break_glass, marks, maxHours }: Beginning,
): Promise<SignedIn> {
  const { ip, user_agent } = request;
  const device = deps.sessionCookies.deviceOf(credentials) ?? newDeviceId();
  const from = { ip, user_agent, device: deviceKey(device) };
  if (credentials.content) await endSession(db, credentials.content.sid, 'new sign-in');
  const hours = Math.min(deps.config.SESSION_MAX_HOURS, maxHours ?? Infinity);
  const created = await createSession(db, userId, from, { ...deps.config, SESSION_MAX_HOURS: hours }, marks);
  if (!created.may_sign_in) throw new AccountOff(`The account ${userId} may not sign in`);
  await storeLanguage(db, userId, request);
  await rememberOrigin(db, userId, from);
  await notifySignIn(db, userId, { ...created, failures, ip, user_agent });
  if (break_glass) await recordBreakGlassUse(deps, db, { user_id: userId, session_id: created.session_id }, request);
  return { ...created, device };
}
