import type { Config } from '../../config.ts';
import type { Db } from '../../db/connect.ts';
import type { ProviderFlow } from '../../http/flow-cookies.ts';
import type { SamlProvider } from '../providers.ts';
import { verifierFor } from './library.ts';
import { openRequest, requestIdOf } from './requests.ts';

/** Records a request to a provider, and returns where to send the browser. */
export async function samlUrl(db: Db, config: Config, provider: SamlProvider, flow: ProviderFlow): Promise<string> {
  const requestId = requestIdOf(flow);
  const asked = { requestId, forceAuthn: flow.kind === 'step_up', isOpen: () => Promise.resolve(false) };
  const url = await (await verifierFor(config, provider, asked)).getAuthorizeUrlAsync('', undefined, {});
  await openRequest(db, provider.id, requestId);
  return url;
}
