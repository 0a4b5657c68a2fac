import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import { freePort } from '../server/src/testing/free-port.ts';
import { openIdProvider } from '../server/src/testing/openid-provider.ts';

/**
 * A real OpenID provider beside the journey, and the settings by which a service reaches and trusts it. The service has
 * it as its first provider, and the provider notifies the service when a person signs out there.
 */
export async function startProvider() {
  const port = await freePort();
  const op = await openIdProvider('127.0.0.1', `http://localhost:${port}`, '/sso/1/backchannel-logout');
  // the provider's other options refuse all local addresses
  op.fetch = (url, { method = 'GET', headers, body } = {}) =>
    fetch(url, { method, ...(headers && { headers }), ...(body && { body }) });
  const folder = await mkdtemp(join(tmpdir(), 'tenure-op-'));
  afterAll(() => rm(folder, { recursive: true, force: true }));
  const authority = join(folder, 'authority.pem');
  await writeFile(authority, op.ca);
  return { op, settings: { PORT: String(port), EGRESS_ALLOW: '127.0.0.1/32', NODE_EXTRA_CA_CERTS: authority } };
}
