import { sql } from 'kysely';
import type { FastifyInstance } from 'fastify';
import { networkOf } from '../access/known-origins.ts';
import { sha256Hex } from '../crypto/crypto.ts';
import type { Db } from '../db/connect.ts';
import type { Body } from '../http/body.ts';
import type { Deps } from '../http/context.ts';
import { tooMany } from '../http/errors.ts';
import { rateLimit } from '../http/limits.ts';
import type { Logout } from './logout-token.ts';
import { keepEnded } from './pending.ts';
import type { Provider } from './providers.ts';

/** Ends sessions on a provider's request (OpenID Connect Back-Channel Logout 1.0). No browser is involved. */

/** Requests per network, for all providers: with a limit per provider, strangers could block its logouts. */
const perMinute = 600;
const jtiHours = 24;

type Known = Pick<Provider, 'id' | 'client_id' | 'metadata' | 'subject_claim'>;

async function findKnown(db: Db, id: number): Promise<Known | undefined> {
  const { rows } = await sql<Known>`
    select id, client_id, metadata, subject_claim from identity_providers where id = ${id} and kind = 'oidc' and is_enabled`.execute(
    db,
  );
  return rows[0];
}

/** Ends sign-ins in progress, by what they will be checked against: they only exist in a cookie. */
async function endPending(db: Db, { id, subject_claim }: Known, { sid, sub }: Logout): Promise<void> {
  if (sid !== null) await keepEnded(db, id, 'sid', sid);
  else if (sub !== null && subject_claim === 'sub') {
    // a person who signs in for the first time has no link yet
    await keepEnded(db, id, 'sub', sub);
    await sql`
      update user_identities set signed_out_at = clock_timestamp()
      where provider_id = ${id} and subject = ${sub}`.execute(db);
  }
}

/** Ends the session that belongs to the provider's session, else all that the subject has through this provider. */
async function endSessions(db: Db, { id, subject_claim }: Known, { sid, sub }: Logout): Promise<number> {
  const { numAffectedRows } = await sql`
    update session_register s set revoked_at = now(), reason = 'signed out at the provider'
    where s.provider_id = ${id} and s.revoked_at is null and ${
      sid === null
        ? sql`${subject_claim} = 'sub' and s.user_id in (
            select i.user_id from user_identities i where i.provider_id = ${id} and i.subject = ${sub})`
        : sql`s.sso_sid = ${sid}`
    }`.execute(db);
  return Number(numAffectedRows ?? 0n);
}

/** The first use of a token returns the number of sessions that it ended, further uses return undefined. */
const apply = ({ db }: Deps, provider: Known, logout: Logout): Promise<number | undefined> =>
  db.transaction().execute(async (trx) => {
    const { rows } = await sql`
      insert into used_once (purpose, hash, expires_at)
      values ('logout_token', ${sha256Hex(`${provider.id} ${logout.jti}`)}, now() + make_interval(hours => ${jtiHours}))
      on conflict do nothing returning hash`.execute(trx);
    if (rows.length === 0) return undefined;
    // first, because a sign-in locks the provider's session and the link before it creates a session
    await endPending(trx, provider, logout);
    return endSessions(trx, provider, logout);
  });

/** The endpoint for providers. It reads and sets no cookies, and does not reveal whether a session was live. */
export function bindBackchannelLogout(app: FastifyInstance, deps: Deps): void {
  const limit = rateLimit(perMinute);
  app.post<{ Params: { id: string }; Body: Body | Error | undefined }>(
    '/sso/:id(^[1-9]\\d{0,15}$)/backchannel-logout',
    async (request, reply) => {
      const id = Number(request.params.id);
      const { remaining, seconds } = limit.consume(networkOf(request.ip));
      if (remaining < 0) throw tooMany(seconds, limit.limit);
      const { body } = request;
      const token = body && !(body instanceof Error) ? body.input['logout_token'] : undefined;
      const provider = await findKnown(deps.db, id);
      const logout = provider && typeof token === 'string' ? await deps.openId.readLogout(provider, token) : undefined;
      const ended = provider && logout ? await apply(deps, provider, logout) : undefined;
      const who = { provider_id: id, request_id: request.id };
      reply.header('cache-control', 'no-store');
      if (ended === undefined) {
        deps.log.warn({ event: 'backchannel_rejected', ...who }, 'a logout request of a provider was refused');
        return reply.code(400).send({ error: 'invalid_request' });
      }
      deps.log.info({ event: 'backchannel_logout', ...who, ended }, 'a provider signed a person out');
      return reply.code(200).send();
    },
  );
}
