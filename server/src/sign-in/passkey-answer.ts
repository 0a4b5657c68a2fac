import type { PasskeyAnswer } from '@tenure/contract';
import { sql } from 'kysely';
import type { Kysely } from 'kysely';
import { countUse, findPasskey } from '../access/passkeys.ts';
import type { KnownPasskey } from '../access/passkeys.ts';
import { equal, sha256Hex } from '../crypto/crypto.ts';
import type { Db } from '../db/connect.ts';
import type { DB } from '../db/schema.ts';
import type { Deps, RequestInfo } from '../http/context.ts';
import { flowSeconds } from '../http/flow-cookies.ts';
import { passkeyHost } from './passkey-host.ts';
import type { PasskeyHost } from './passkey-host.ts';

/** Verifies responses of passkeys: that one is authentic, and was made for this service, now. */

/** Loaded when a passkey is first used: it has all makers' certificates, 25 MB that most processes never need. */
export const webAuthn = () => import('@simplewebauthn/server');

type Ctx = { deps: Deps; request: RequestInfo };

/** Logs why a passkey was not accepted. */
export function logPasskeyFailure({ deps, request }: Ctx, reason: string, user_id?: number): void {
  const { id: request_id, ip } = request;
  deps.log.warn(
    { event: 'passkey_failed', request_id, ip, ...(user_id !== undefined && { user_id }), reason },
    'a passkey was not accepted',
  );
}

/** Uses up a challenge, whatever the outcome; of several uses, only the first returns true. */
export async function consumeChallenge(db: Db, challenge: string): Promise<boolean> {
  const { rows } = await sql`
    insert into used_once (purpose, hash, expires_at)
    values ('passkey_challenge', ${sha256Hex(challenge)}, now() + make_interval(secs => ${2 * flowSeconds}))
    on conflict do nothing returning hash`.execute(db);
  return rows.length > 0;
}

const reasons: readonly [RegExp, string][] = [
  [/challenge/i, 'challenge'],
  [/origin/i, 'origin'],
  [/RP ?ID/i, 'rp_id'],
  [/user (verification|presence|could not be verified|not present)/i, 'user_verification'],
];

/** What the library rejected. Its message contains text from the sender, so our own word is logged. */
export const reasonOf = (error: unknown): string =>
  reasons.find(([pattern]) => pattern.test(error instanceof Error ? error.message : ''))?.[1] ?? 'answer';

type Asked = {
  challenge: string;
  /** Whose passkey it must be; null if the passkey tells. */
  user_id: number | null;
  credential: PasskeyAnswer;
};

/** The passkey must belong to this account, and state it; one that was requested by id need not. */
function strangeOwner(found: KnownPasskey, { user_id, credential }: Asked): string | undefined {
  if (user_id !== null && found.user_id !== user_id) return 'other_account';
  const { userHandle } = credential.response;
  if (!userHandle) return user_id === null ? 'no_user_handle' : undefined;
  return equal(Buffer.from(userHandle, 'base64url'), found.webauthn_id) ? undefined : 'user_handle';
}

type Checked = { counter: number; backed_up: boolean };

/** Verifies signature, challenge, origin, host and that the device verified the user. Throws the library's errors. */
async function verify(host: PasskeyHost, found: KnownPasskey, { challenge, credential }: Asked): Promise<Checked> {
  const { verifyAuthenticationResponse } = await webAuthn();
  const { response, ...rest } = credential;
  const { verified, authenticationInfo } = await verifyAuthenticationResponse({
    response: {
      ...rest,
      response: { ...response, userHandle: response.userHandle ?? undefined },
      clientExtensionResults: {},
    } as Parameters<typeof verifyAuthenticationResponse>[0]['response'],
    expectedChallenge: challenge,
    expectedOrigin: host.origins,
    expectedRPID: host.rp_id,
    requireUserVerification: true,
    // the update that stores the counter compares it, so that of parallel uses only one succeeds
    credential: { id: credential.id, publicKey: new Uint8Array(found.public_key), counter: 0 },
  });
  if (!verified) throw new Error('The signature is wrong');
  return { counter: authenticationInfo.newCounter, backed_up: authenticationInfo.credentialBackedUp };
}

/** Uses a passkey once. Returns undefined for a rejected response, which uses up the challenge too. */
export async function usePasskey(ctx: Ctx, asked: Asked): Promise<KnownPasskey | undefined> {
  const { deps } = ctx;
  const db: Kysely<DB> = deps.db;
  const host = passkeyHost(deps.config);
  const refuse = (reason: string, userId?: number): undefined => {
    logPasskeyFailure(ctx, reason, userId);
  };
  if (!(await consumeChallenge(db, asked.challenge))) return refuse('challenge_used');
  const found = host ? await findPasskey(db, { id: asked.credential.id, rp_id: host.rp_id }) : undefined;
  if (!host || !found) return refuse('unknown');
  const strange = strangeOwner(found, asked);
  if (strange) return refuse(strange, found.user_id);
  try {
    const checked = await verify(host, found, asked);
    if (await countUse(db, found, checked)) return found;
  } catch (error) {
    return refuse(reasonOf(error), found.user_id);
  }
  const { id: request_id, ip } = ctx.request;
  deps.log.warn(
    { event: 'passkey_counter_went_back', request_id, ip, user_id: found.user_id, authenticator_id: found.id },
    'a passkey was refused because its counter did not rise: there may be a copy of it',
  );
  return undefined;
}
