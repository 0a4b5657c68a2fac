import type { FastifyRequest } from 'fastify';
import type { Actor } from '../access/actor.ts';
import { findToken } from '../access/api-tokens.ts';
import type { LiveToken } from '../access/api-tokens.ts';
import { rightsOfSession } from '../access/rights.ts';
import type { LiveSession } from '../access/sessions.ts';
import { rightsOfToken } from '../access/token-rights.ts';
import type { Db } from '../db/connect.ts';
import type { Deps } from './context.ts';
import { invalidToken, unauthenticated } from './errors.ts';
import { tokenOf } from './origin.ts';
import { refusalOf } from './permission.ts';
import type { Execution, RequestContext } from './request-context.ts';

/** Who makes the request: the user of a session, or the program with a token. */

type Cached = Pick<Deps, 'db' | 'rights'>;

export async function actorOfSession({ db, rights }: Cached, live: LiveSession): Promise<Actor> {
  return { ...(await rightsOfSession(rights, db, live)), ...live };
}

/** The account behind the request's token at this address. */
export const tokenBehind = (db: Db, { headers, ip }: Pick<FastifyRequest, 'headers' | 'ip'>) =>
  findToken(db, tokenOf(headers), { ip, kinds: ['personal', 'service'] });

export async function actorOfToken({ db, rights }: Cached, token: LiveToken): Promise<Actor> {
  const { user_id, employee_id, name, email, locale, locale_chosen, last_login_at, picture_key, token_id } = token;
  const account = { user_id, employee_id, name, email, locale, locale_chosen, last_login_at, picture_key };
  const own = await rightsOfToken(rights, db, token);
  return { ...own, ...account, token_id, session_id: 0, must_change_password: false };
}

/** @throws 401 once the session or the token has ended */
async function actorNow({ deps, origin, request }: RequestContext): Promise<Actor> {
  if (origin === 'token') {
    const found = await tokenBehind(deps.db, request);
    if ('fault' in found) throw invalidToken();
    return actorOfToken(deps, found.token);
  }
  const { live } = await deps.sessionCookies.present(deps.db, request.headers);
  if (!live) throw unauthenticated();
  return actorOfSession(deps, live);
}

/**
 * The requester with their current rights, for an answer that takes long.
 * @throws 401 or 403 if the request would be refused by now
 */
export async function checkAgain({ context, route }: Pick<Execution, 'context' | 'route'>): Promise<Actor> {
  const actor = await actorNow(context);
  const refusal = refusalOf(actor, route.endpoint);
  if (refusal) throw refusal;
  return actor;
}
