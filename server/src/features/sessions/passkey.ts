import { text } from '@tenure/contract';
import type { BodyOut, passkeySignIn, PasskeyRequest } from '@tenure/contract';
import { sql } from 'kysely';
import type { Transaction } from 'kysely';
import { tryCode } from '../../access/code-tries.ts';
import { isCoveredBy } from '../../access/credentials.ts';
import { deviceKey } from '../../access/known-origins.ts';
import { findPasskey, removePasskeysBy } from '../../access/passkeys.ts';
import { violatedGuard } from '../../access/sessions.ts';
import { randomToken } from '../../crypto/crypto.ts';
import type { DB } from '../../db/schema.ts';
import type { Ctx, Deps } from '../../http/context.ts';
import { invalid } from '../../http/errors.ts';
import { beginSession } from '../../sign-in/begin-session.ts';
import type { SignedIn, SignInRequest } from '../../sign-in/begin-session.ts';
import { managesPeople } from './login.ts';
import { logPasskeyFailure, usePasskey } from '../../sign-in/passkey-answer.ts';
import { passkeyHost, requestOf } from '../../sign-in/passkey-host.ts';

/** Signing in with only a passkey. */

/** One message for every response that does not sign in; the log contains the reason. */
const refused = () => invalid('credential', text('account.passkey_refused'));

/** Begins a sign-in, which stores nothing and reveals nothing about accounts. Throws 422 if passkeys cannot work. */
export function startPasskeySignIn({
  deps: { config, sessionCookies },
  credentials,
  setCookies,
}: Pick<Ctx, 'deps' | 'credentials' | 'setCookies'>): PasskeyRequest {
  const host = passkeyHost(config);
  if (!host) throw invalid('credential', text('account.passkeys_unavailable'));
  const challenge = randomToken(32);
  const flow = sessionCookies.beginFlow('passkey', { purpose: 'sign_in', user_id: null, challenge });
  setCookies([...sessionCookies.sameCookies(credentials), flow]);
  return requestOf(host, challenge);
}

type Account = { break_glass: boolean; let_in_by_id: number | null; has_people: boolean };

/** The account of a passkey, if it can sign in; locks the passkey, so that its removal also ends the new session. */
async function findAccount(db: Transaction<DB>, passkeyId: number): Promise<Account | undefined> {
  const { rows } = await sql<Account>`
    select u.break_glass, a.let_in_by_id, ${managesPeople} as has_people
    from authenticators a join users u on u.id = a.user_id left join employees e on e.user_id = u.id
    where a.id = ${passkeyId} and u.is_enabled
      and (e.id is null or may_sign_in(e.activity_status, e.early_access, e.deleted_at))
    for key share of a`.execute(db);
  return rows[0];
}

type Proved = { id: number; user_id: number };

async function begin(
  deps: Deps,
  asked: SignInRequest,
  passkey: Proved,
  failures: number,
): Promise<SignedIn | undefined> {
  const { id: authenticator_id, user_id } = passkey;
  return deps.db.transaction().execute(async (db) => {
    const account = await findAccount(db, authenticator_id);
    if (!account) return undefined;
    const { let_in_by_id, break_glass, has_people } = account;
    // as with passwords: managed people and departments change daily without ending sessions
    if (let_in_by_id !== null && has_people && !(await isCoveredBy(db, let_in_by_id, user_id))) {
      await removePasskeysBy(db, { maker: let_in_by_id, accounts: [user_id] });
      return undefined;
    }
    await sql`update users set last_login_at = now() where id = ${user_id}`.execute(db);
    const marks = { method: 'passkey', factors: 2, authenticator_id } as const;
    return beginSession(deps, db, asked, { userId: user_id, failures, break_glass, marks });
  });
}

/** Starts the session of a passkey; undefined if its account may not sign in with it. */
async function enter(deps: Deps, asked: SignInRequest, passkey: Proved, failures: number) {
  const created = await begin(deps, asked, passkey, failures).catch((error: unknown) => {
    const guard = violatedGuard(error);
    if (!guard) throw error;
    logPasskeyFailure({ deps, ...asked }, guard, passkey.user_id);
    return null;
  });
  if (created === undefined) logPasskeyFailure({ deps, ...asked }, 'account', passkey.user_id);
  return created ?? undefined;
}

/**
 * Signs in with the response of a passkey: starts a new session and ends the sent one. Throws 422 with one message for
 * every response that does not sign in, 429 beyond the limits of codes.
 */
export async function signInWithPasskey(
  deps: Deps,
  { credential }: BodyOut<typeof passkeySignIn.signIn>,
  asked: SignInRequest,
): Promise<SignedIn> {
  const { request, credentials } = asked;
  const flow = deps.sessionCookies.flowOf(credentials, 'passkey');
  if (flow?.purpose !== 'sign_in') throw invalid('credential', text('account.passkey_restart'));
  const host = passkeyHost(deps.config);
  const known = host && (await findPasskey(deps.db, { id: credential.id, rp_id: host.rp_id }));
  const device = deps.sessionCookies.deviceOf(credentials);
  const from = { ip: request.ip, device: device && deviceKey(device) };
  const line = { request_id: request.id, ip: request.ip, ...(known && { user_id: known.user_id }) };
  const onLimit = () => deps.log.warn({ event: 'second_factor_limited', ...line }, 'too many wrong passkeys');
  const email = known?.email ?? `passkey ${credential.id}`;
  const created = await tryCode(deps.db, { email, from, field: 'credential', onLimit }, async (failures) => {
    const used = await usePasskey({ deps, request }, { challenge: flow.challenge, user_id: null, credential });
    return used && enter(deps, asked, used, await failures());
  });
  if (!created) throw refused();
  deps.log.info({ event: 'login_ok', ...line }, 'signed in');
  return created;
}
