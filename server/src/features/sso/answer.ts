import { messages, text } from '@tenure/contract';
import type { sso } from '@tenure/contract';
import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import { sha256Hex } from '../../crypto/crypto.ts';
import type { Db } from '../../db/connect.ts';
import type { HandlerCtx } from '../../http/context.ts';
import { invalid, notFound, unavailable } from '../../http/errors.ts';
import type { HttpError } from '../../http/errors.ts';
import { flowSeconds } from '../../http/flow-cookies.ts';
import type { ProviderFlow } from '../../http/flow-cookies.ts';
import { BadAnswer, ProviderAway } from '../../sso/openid.ts';
import { profileFrom, wantedClaims } from '../../sso/person.ts';
import type { ProviderProfile } from '../../sso/person.ts';
import { endOutage, recordOutage } from '../../sso/outages.ts';
import { findProvider, lockProvidersOf, isUnchanged, returnAddressOf } from '../../sso/providers.ts';
import type { Client, Provider, SamlProvider } from '../../sso/providers.ts';
import { samlProfileFrom, shownOf } from '../../sso/saml/person.ts';
import { reasonIn } from '../../sso/saml/reasons.ts';
import { requestIdOf, takeAnswer } from '../../sso/saml/requests.ts';

/** Checks that a provider's response belongs to a flow of this browser, and reads the profile. */

export type CompleteCtx = Pick<
  HandlerCtx<typeof sso.complete>,
  'db' | 'deps' | 'request' | 'credentials' | 'params' | 'body'
>;
/** `claims`: the provider's data under its own names. */
export type Answered = {
  provider: Provider;
  flow: ProviderFlow;
  profile: ProviderProfile;
  claims: Readonly<Record<string, unknown>>;
};
type ReadResponse = Pick<Answered, 'profile' | 'claims'>;

/** Logs a refused response. */
export function logFailure({ deps, request, params }: CompleteCtx, reason: string): void {
  const { id: request_id, ip } = request;
  deps.log.warn(
    { event: 'sso_failed', request_id, ip, provider_id: params.id, reason },
    'a sign-in through a provider was refused',
  );
}

/** Only the first of several uses of a state returns true. */
async function consume(db: Db, state: string): Promise<boolean> {
  const { rows } = await sql`
    insert into used_once (purpose, hash, expires_at)
    values ('sso_state', ${sha256Hex(state)}, now() + make_interval(secs => ${2 * flowSeconds}))
    on conflict do nothing returning hash`.execute(db);
  return rows.length > 0;
}

function refuse(ctx: CompleteCtx, reason: string, key: 'expired' | 'restarted'): HttpError {
  logFailure(ctx, reason);
  return invalid('sso', text(`sso.${key}`));
}

/** The flow that this browser started at the provider. */
function flowOf(ctx: CompleteCtx): ProviderFlow {
  const { deps, credentials, params } = ctx;
  const flow = deps.sessionCookies.flowOf(credentials, 'sso');
  if (!flow || flow.provider_id !== params.id) throw refuse(ctx, 'no_flow', 'expired');
  return flow;
}

const isOff = ({ is_enabled }: Provider, flow: ProviderFlow) => !is_enabled && flow.kind !== 'test';

/** What an OpenID provider returns for the code in the query string. This uses up the state. */
async function redeemCode(ctx: CompleteCtx, client: Client, flow: ProviderFlow): Promise<ReadResponse> {
  const { db, deps, params, body } = ctx;
  if (body.query === undefined) throw invalid('query', messages.required);
  const url = new URL(returnAddressOf(deps.config, params.id));
  url.search = body.query;
  if (url.searchParams.get('state') !== flow.state) throw refuse(ctx, 'state', 'restarted');
  if (!(await consume(db, flow.state))) throw refuse(ctx, 'state_used', 'restarted');
  const { provider } = client;
  if (isOff(provider, flow)) throw notFound();
  const claims = await deps.openId.redeem(client, flow, { url, wanted: wantedClaims(provider) });
  const profile = profileFrom(claims, provider);
  if (!profile) throw new BadAnswer('subject', undefined, 'answer');
  if (client.isFailing) await endOutage(db, provider.id, 'sign_in');
  return { profile, claims };
}

const refusedBy = ({ name: provider }: Provider, reason: string | undefined) =>
  invalid('sso', reason ? text('sso.answer_refused', { provider, reason }) : text('sso.failed', { provider }));

/** The response of a SAML provider, which was stored for the browser that requested it. */
async function takeSamlResponse(ctx: CompleteCtx, provider: SamlProvider, flow: ProviderFlow): Promise<ReadResponse> {
  const { db, deps, body } = ctx;
  // the response was refused on arrival, and the reason logged there
  if (body.handoff === undefined) throw refusedBy(provider, reasonIn(body.query));
  const asked = { providerId: provider.id, requestId: requestIdOf(flow), handoff: body.handoff };
  const answer = await takeAnswer(db, deps.ring, asked);
  if (!answer) throw refuse(ctx, 'handoff', 'restarted');
  if (isOff(provider, flow)) throw notFound();
  return { profile: samlProfileFrom(answer, provider), claims: shownOf(answer) };
}

/** Logs a failure of the provider and records an outage. Returns the refusal; other errors stay as they are. */
async function refusalAfter(ctx: CompleteCtx, provider: Provider, error: unknown): Promise<unknown> {
  const { db } = ctx.deps;
  if (error instanceof ProviderAway) {
    logFailure(ctx, 'away');
    await recordOutage(db, provider, { part: 'sign_in', reason: 'away' });
    return unavailable(30);
  }
  if (!(error instanceof BadAnswer)) return error;
  logFailure(ctx, error.code);
  if (error.outage) await recordOutage(db, provider, { part: 'sign_in', reason: error.outage });
  return refusedBy(provider, provider.kind === 'saml' ? reasonIn(`error=${error.code}`) : undefined);
}

/** Reads the response. Throws 404 without the provider, 422 on `sso` for an invalid response, 503 during an outage. */
export async function readAnswer(ctx: CompleteCtx): Promise<Answered> {
  const { db, deps, params } = ctx;
  const client = await findProvider(db, deps.ring, params.id);
  if (!client) throw notFound();
  const { provider } = client;
  const flow = flowOf(ctx);
  try {
    const response =
      client.secret === null ? await takeSamlResponse(ctx, client.provider, flow) : await redeemCode(ctx, client, flow);
    return { provider, flow, ...response };
  } catch (error) {
    throw await refusalAfter(ctx, provider, error);
  }
}

function changedMeanwhile(ctx: CompleteCtx, { name: provider }: Provider): HttpError {
  logFailure(ctx, 'provider_changed');
  return invalid('sso', text('sso.provider_changed', { provider }));
}

/**
 * Locks the provider of a response, and those that some accounts are linked to. Throws 404 if it is disabled, and 422
 * on `sso` if it changed since: the response was checked with other settings, perhaps of another issuer.
 */
export async function lockAnswered(
  ctx: CompleteCtx,
  db: Db,
  { provider, accounts }: { provider: Provider; accounts: RawBuilder<unknown> },
): Promise<ReadonlySet<number>> {
  const held = await lockProvidersOf(db, provider.id, accounts);
  const now = held.get(provider.id);
  if (!now) throw notFound();
  if (now.revision !== provider.revision && !(await isUnchanged(db, provider))) throw changedMeanwhile(ctx, provider);
  return new Set(held.keys());
}
