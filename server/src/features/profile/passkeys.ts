import { passkeys, text } from '@tenure/contract';
import type { BodyOut, Passkey, PasskeyCreation } from '@tenure/contract';
import { sql } from 'kysely';
import { credentialIssuer } from '../../access/credential-issuer.ts';
import { lockOwnAccount } from '../../access/own-account.ts';
import { credentialsOf, endSessionsWith, handleOf, finishFactorRemoval } from '../../access/passkeys.ts';
import { signInRequirements, recoveryCodesLeft } from '../../access/second-factors.ts';
import { installationBrand } from '../../brand/read.ts';
import { randomToken } from '../../crypto/crypto.ts';
import type { Db } from '../../db/connect.ts';
import { bind } from '../../http/context.ts';
import type { Ctx, HandlerCtx, RecordCtx, WriteCtx } from '../../http/context.ts';
import { invalid, notFound } from '../../http/errors.ts';
import { done, read } from '../../http/replies.ts';
import { logPasskeyFailure, reasonOf, consumeChallenge, webAuthn } from '../../sign-in/passkey-answer.ts';
import { descriptorsOf, passkeyHost, passkeyTimeout } from '../../sign-in/passkey-host.ts';
import type { PasskeyHost } from '../../sign-in/passkey-host.ts';
import { isBreakGlass, raiseSession, refuseEnrolled, replaceRecoveryCodes, notifyOwner } from './factor-changes.ts';
import { passwordSignIn } from './password-sign-in.ts';

/** The user's own passkeys. */

const most = 20;
/** EdDSA, ES256 and RS256: the algorithms that devices use. */
const algorithms = [-8, -7, -257];

const columns = sql`
  id, name, confirmed_at as added_at, last_used_at, coalesce(backed_up, false) as backed_up,
  factor_works(authenticators) as works`;

export async function listPasskeys(db: Db, userId: number): Promise<Passkey[]> {
  const { rows } = await sql<Passkey>`
    select ${columns} from authenticators
    where user_id = ${userId} and kind = 'passkey' and confirmed_at is not null order by id`.execute(db);
  return rows;
}

/** The host of the passkeys. Throws 422 if browsers allow none. */
function hostOf({ deps }: Pick<Ctx, 'deps'>): PasskeyHost {
  const host = passkeyHost(deps.config);
  if (!host) throw invalid('credential', text('account.passkeys_unavailable'));
  return host;
}

async function startAdding(ctx: Ctx): Promise<PasskeyCreation> {
  const { db, actor, deps, credentials, setCookies } = ctx;
  const host = hostOf(ctx);
  await lockOwnAccount(db, actor);
  await refuseEnrolled(ctx);
  const handle = await handleOf(db, actor.user_id);
  const known = await credentialsOf(db, actor.user_id, host.rp_id);
  const { name } = await installationBrand(db);
  const challenge = randomToken(32);
  const { sessionCookies } = deps;
  const flow = sessionCookies.beginFlow('passkey', { purpose: 'add', user_id: actor.user_id, challenge });
  setCookies([...sessionCookies.sameCookies(credentials), flow]);
  return {
    rp: { id: host.rp_id, name: name ?? 'Tenure' },
    user: { id: handle.toString('base64url'), name: actor.email, displayName: actor.name },
    challenge,
    pubKeyCredParams: algorithms.map((alg) => ({ type: 'public-key', alg })),
    timeout: passkeyTimeout,
    excludeCredentials: descriptorsOf(known),
    authenticatorSelection: { residentKey: 'required', requireResidentKey: true, userVerification: 'required' },
    attestation: 'none',
  };
}

type Sent = BodyOut<typeof passkeys.add>;
type AddCtx = HandlerCtx<typeof passkeys.add>;

/**
 * Removes the statement of an attestation, which the service does not request: it proves nothing here, and the library
 * would fetch revocation lists from wherever the sender's certificates say.
 */
async function withoutStatement(attestation: string): Promise<string> {
  const { decodeAttestationObject, isoBase64URL, isoCBOR } = await import('@simplewebauthn/server/helpers');
  const authData = decodeAttestationObject(isoBase64URL.toBuffer(attestation)).get('authData');
  const bare = isoCBOR.encode(
    new Map<string, string | Uint8Array | Map<string, string>>([
      ['fmt', 'none'],
      ['attStmt', new Map()],
      ['authData', authData],
    ]),
  );
  return isoBase64URL.fromBuffer(bare);
}

/** The new passkey of a response. Throws 422 if it was not requested, or if the device did not verify the user. */
async function readNew(ctx: AddCtx, { credential }: Sent) {
  const { deps, actor, credentials } = ctx;
  const host = hostOf(ctx);
  const flow = deps.sessionCookies.flowOf(credentials, 'passkey');
  if (flow?.purpose !== 'add' || flow.user_id !== actor.user_id || !(await consumeChallenge(deps.db, flow.challenge)))
    throw invalid('credential', text('account.passkey_restart'));
  const { verifyRegistrationResponse } = await webAuthn();
  const { response, ...rest } = credential;
  try {
    const attestationObject = await withoutStatement(response.attestationObject);
    const { verified, registrationInfo } = await verifyRegistrationResponse({
      response: {
        ...rest,
        response: { ...response, attestationObject, transports: undefined },
        clientExtensionResults: {},
      } as unknown as Parameters<typeof verifyRegistrationResponse>[0]['response'],
      expectedChallenge: flow.challenge,
      expectedOrigin: host.origins,
      expectedRPID: host.rp_id,
      requireUserVerification: true,
      supportedAlgorithmIDs: algorithms,
    });
    if (!verified) throw new Error('The answer is not verified');
    const { credential: made, credentialBackedUp: backed_up } = registrationInfo;
    return { ...made, backed_up, transports: response.transports ?? null, rp_id: host.rp_id };
  } catch (error) {
    logPasskeyFailure(ctx, reasonOf(error), actor.user_id);
    throw invalid('credential', text('account.passkey_not_added'));
  }
}

async function store(
  db: Db,
  actor: Ctx['actor'],
  name: string,
  made: Awaited<ReturnType<typeof readNew>>,
): Promise<Passkey> {
  const { rows } = await sql<Passkey>`
    insert into authenticators
      (user_id, kind, name, credential_id, public_key, counter, transports, rp_id, backed_up, confirmed_at, let_in_by_id)
    select u.id, 'passkey', ${name}, ${Buffer.from(made.id, 'base64url')}, ${Buffer.from(made.publicKey)},
           ${made.counter}, ${made.transports}::text[], ${made.rp_id}, ${made.backed_up}, now(), ${credentialIssuer(actor)}
    from users u
    where u.id = ${actor.user_id}
      and (select count(*) from authenticators a where a.user_id = u.id and a.kind = 'passkey') < ${most}
    on conflict on constraint authenticators_credential_id_key do nothing
    returning ${columns}`.execute(db);
  const [passkey] = rows;
  if (!passkey) throw invalid('credential', text('account.passkey_not_added'));
  return passkey;
}

/** Adds a passkey, which gives the account a factor. */
async function add(ctx: AddCtx) {
  const { actor, body } = ctx;
  const made = await readNew(ctx, body);
  return ctx.db.transaction().execute(async (db) => {
    const inside = { ...ctx, db };
    await lockOwnAccount(db, actor);
    await refuseEnrolled(inside);
    const { length } = await listPasskeys(db, actor.user_id);
    if (length >= most) throw invalid('credential', text('account.too_many_passkeys', { count: most }));
    const passkey = await store(db, actor, body.name, made);
    const hasCodes = (await recoveryCodesLeft(db, actor.user_id)) > 0;
    const recovery_codes = hasCodes ? null : await replaceRecoveryCodes(db, actor.user_id);
    await raiseSession(db, actor);
    await notifyOwner(inside, {
      action: 'account.passkey_added',
      variant: 'passkey_added',
      changes: { name: { from: null, to: body.name } },
    });
    return { passkey, recovery_codes };
  });
}

type Own = { id: number; name: string };

/** Finds a passkey of the user's account. Throws 404 for others. */
async function findOwn({ db, actor, params }: RecordCtx): Promise<Own> {
  await lockOwnAccount(db, actor);
  const { rows } = await sql<Own>`
    select id, name from authenticators
    where id = ${params.id} and user_id = ${actor.user_id} and kind = 'passkey'`.execute(db);
  const [found] = rows;
  if (!found) throw notFound();
  return found;
}

async function rename(ctx: WriteCtx, { id, name: before }: Own, name: string): Promise<Passkey> {
  const { rows } = await sql<Passkey>`
    update authenticators set name = ${name}, updated_at = now(), revision = revision + 1 where id = ${id}
    returning ${columns}`.execute(ctx.db);
  if (before !== name)
    await notifyOwner(ctx, { action: 'account.passkey_renamed', changes: { name: { from: before, to: name } } });
  return rows[0] as Passkey;
}

/** Removes a passkey and ends the sessions that it started. Throws 422 if the account needs it. */
async function remove(ctx: WriteCtx, { id, name }: Own): Promise<void> {
  const { db, actor } = ctx;
  const [{ totp, is_due }, all] = [await signInRequirements(db, actor.user_id), await listPasskeys(db, actor.user_id)];
  const working = all.filter(({ works }) => works);
  // a passkey for a former host does not work
  const isNeeded = working.some((one) => one.id === id);
  const isLast = isNeeded && !totp && working.length === 1;
  if (isLast && (is_due || (await isBreakGlass(db, actor.user_id))))
    throw invalid('passkey', text('account.factor_demanded'));
  const { rows } = await sql`
    select from users where id = ${actor.user_id} and not password_sign_in`.execute(db);
  if (isNeeded && rows.length > 0 && working.length <= 2) throw invalid('passkey', text('account.two_passkeys_stay'));
  await sql`delete from authenticators where id = ${id}`.execute(db);
  await endSessionsWith(db, { accounts: [actor.user_id], passkeys: [id], keep: actor.session_id });
  await finishFactorRemoval(db, [actor.user_id]);
  await notifyOwner(ctx, {
    action: 'account.passkey_removed',
    variant: 'passkey_removed',
    changes: { name: { from: name, to: null } },
  });
}

export const passkeyRoutes = [
  bind(passkeys.options, { handle: async (ctx) => read({ options: await startAdding(ctx) }) }),
  bind(passkeys.add, {
    withoutTransaction: 'a challenge is used up whatever comes of it',
    handle: async (ctx) => {
      const added = await add(ctx);
      const { sessionCookies } = ctx.deps;
      ctx.setCookies([...sessionCookies.sameCookies(ctx.credentials), sessionCookies.endFlow('passkey')]);
      return done(added, text(added.recovery_codes ? 'account.passkey_added_with_codes' : 'account.passkey_added'));
    },
  }),
  bind(passkeys.rename, {
    find: findOwn,
    handle: async (ctx, own) => done(await rename(ctx, own, ctx.body.name), text('account.passkey_renamed')),
  }),
  bind(passkeys.remove, { find: findOwn, handle: remove }),
  bind(passkeys.passwordSignIn, {
    handle: async (ctx) => {
      const { enabled } = ctx.body;
      await passwordSignIn(ctx, enabled);
      return done(
        { password_sign_in: enabled },
        text(enabled ? 'account.password_sign_in_on' : 'account.password_sign_in_off'),
      );
    },
  }),
];
