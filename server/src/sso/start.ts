import type { Ctx } from '../http/context.ts';
import { notFound } from '../http/errors.ts';
import type { ProviderFlow } from '../http/flow-cookies.ts';
import { newFlow } from './flow.ts';
import { findProvider, returnAddressOf } from './providers.ts';
import { samlUrl } from './saml/start.ts';

type StartCtx = Pick<Ctx, 'db' | 'deps' | 'credentials' | 'setCookies'>;

/**
 * Starts a flow at a provider: binds it to this browser and returns where to send it. Stores nothing, except requests
 * to SAML providers. Throws 404 unless the provider is enabled.
 */
export async function startFlow(
  { db, deps, credentials, setCookies }: StartCtx,
  providerId: number,
  fields: Pick<ProviderFlow, 'kind' | 'user_id' | 'next'>,
): Promise<{ url: string }> {
  const client = await findProvider(db, deps.ring, providerId);
  // a disabled one can be tested
  if (!client || !(client.provider.is_enabled || fields.kind === 'test')) throw notFound();
  const flow = newFlow({ ...fields, provider_id: providerId, since: client.read_at });
  const url =
    client.secret === null
      ? await samlUrl(db, deps.config, client.provider, flow)
      : deps.openId.authorizationUrl(client, flow, returnAddressOf(deps.config, providerId));
  const { sessionCookies } = deps;
  setCookies([...sessionCookies.sameCookies(credentials), sessionCookies.beginFlow('sso', flow)]);
  return { url };
}
