import { text } from '@tenure/contract';
import type { sso } from '@tenure/contract';
import { sql } from 'kysely';
import { sha256Hex } from '../../crypto/crypto.ts';
import type { Db } from '../../db/connect.ts';
import type { HandlerCtx } from '../../http/context.ts';
import { invalid, notFound, unavailable } from '../../http/errors.ts';
import type { HttpError } from '../../http/errors.ts';
import { flowSeconds } from '../../http/flow-cookies.ts';
import type { ProviderFlow } from '../../http/flow-cookies.ts';
import { BadAnswer, ProviderAway } from '../../sso/openid.ts';
import type { Claims } from '../../sso/openid.ts';
import { cameFrom, wantedClaims } from '../../sso/person.ts';
import type { Came } from '../../sso/person.ts';
import { findProvider, returnAddressOf } from '../../sso/providers.ts';
import type { Provider } from '../../sso/providers.ts';

/** The answer of a provider: that it belongs to what this browser began, and who came. */

export type CompleteCtx = Pick<
  HandlerCtx<typeof sso.complete>,
  'db' | 'deps' | 'request' | 'credentials' | 'params' | 'body'
>;
export type Answered = { provider: Provider; flow: ProviderFlow; came: Came; claims: Claims };

/** Notes a refused answer in the log. */
export function noteFailure({ deps, request, params }: CompleteCtx, reason: string): void {
  const { id: request_id, ip } = request;
  deps.log.warn({ event: 'sso_failed', request_id, ip, provider_id: params.id, reason }, 'a sign-in failed');
}

/** Of several uses of a state the first one returns true. */
async function spend(db: Db, state: string): Promise<boolean> {
  const { rows } = await sql`
    insert into used_once (purpose, hash, expires_at)
    values ('sso_state', ${sha256Hex(state)}, now() + make_interval(secs => ${2 * flowSeconds}))
    on conflict do nothing returning hash`.execute(db);
  return rows.length > 0;
}

/** The flow of this browser that the answer belongs to; it is over with this look. */
async function flowOf(ctx: CompleteCtx, answer: URL): Promise<ProviderFlow> {
  const { deps, credentials, params } = ctx;
  const flow = deps.sessionCookies.flowOf(credentials, 'sso');
  const refuse = (reason: string, key: 'expired' | 'restarted'): HttpError => {
    noteFailure(ctx, reason);
    return invalid('sso', text(`sso.${key}`));
  };
  if (!flow || flow.provider_id !== params.id) throw refuse('no_flow', 'expired');
  if (answer.searchParams.get('state') !== flow.state) throw refuse('state', 'restarted');
  if (!(await spend(deps.db, flow.state))) throw refuse('state_used', 'restarted');
  return flow;
}

/** Reads the answer. Throws 404 without the provider, 422 on `sso` for an answer that proves nothing, 503 while it is away. */
export async function readAnswer(ctx: CompleteCtx): Promise<Answered> {
  const { db, deps, params, body } = ctx;
  const client = await findProvider(db, deps.ring, params.id);
  if (!client) throw notFound();
  const url = new URL(returnAddressOf(deps.config, params.id));
  url.search = body.query;
  const flow = await flowOf(ctx, url);
  const { provider } = client;
  if (!provider.is_enabled && flow.kind !== 'test') throw notFound();
  try {
    const claims = await deps.openId.redeem(client, flow, { url, wanted: wantedClaims(provider) });
    const came = cameFrom(claims, provider);
    if (!came) throw new BadAnswer('subject');
    return { provider, flow, came, claims };
  } catch (error) {
    if (error instanceof BadAnswer || error instanceof ProviderAway)
      noteFailure(ctx, error instanceof BadAnswer ? error.code : 'away');
    if (error instanceof BadAnswer) throw invalid('sso', text('sso.failed', { provider: provider.name }));
    if (error instanceof ProviderAway) throw unavailable(30);
    throw error;
  }
}
