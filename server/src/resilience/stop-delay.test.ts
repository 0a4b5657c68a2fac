import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { get } from 'node:http';
import type { IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test, vi } from 'vitest';
import { cloneDatabase } from '../testing/databases.ts';
import { freePort } from '../testing/free-port.ts';
import { remote } from '../testing/remote.ts';
import { startProcess } from '../testing/service-process.ts';

const scratch = await mkdtemp(join(tmpdir(), 'tenure-delay-'));
afterAll(() => rm(scratch, { recursive: true, force: true }));

async function startDelayed(seconds: string) {
  const { appUrl, ownerUrl } = await cloneDatabase();
  const settings = { DATABASE_URL: appUrl, DATABASE_MIGRATION_URL: ownerUrl, SHUTDOWN_DELAY_SECONDS: seconds };
  return startProcess({ dataDir: join(scratch, seconds), port: await freePort(), settings });
}

async function statusOnNewConnection(address: string) {
  const [response] = (await once(get(address, { agent: false }), 'response')) as [IncomingMessage];
  response.resume();
  return response.statusCode;
}

test('during the delay of a stop the service is not ready and serves new connections; a second signal ends it', async () => {
  const service = await startDelayed('600');
  const client = remote(service.address);
  expect((await client.get('/readyz')).status).toBe(200);
  const { pid } = service.child;
  process.kill(Number(pid), 'SIGTERM');
  await vi.waitFor(async () => expect((await client.get('/readyz')).status).toBe(503), { timeout: 30_000 });
  expect((await client.get('/readyz')).body).toEqual({ message: 'Service Unavailable', failed: ['stopping'] });
  expect(await statusOnNewConnection(`${service.address}/api/me`)).toBe(401);
  expect(await statusOnNewConnection(`${service.address}/livez`)).toBe(200);
  expect(await service.logged('stopping')).toEqual([expect.objectContaining({ seconds: 600 })]);
  expect(await service.stop()).toBe(1);
  expect(service.events('stopped_at_once')).toHaveLength(1);
}, 120_000);

test('after the delay the service stops in order', async () => {
  const service = await startDelayed('1');
  expect(await service.stop()).toBe(0);
  expect(service.events('stopping')).toEqual([expect.objectContaining({ seconds: 1 })]);
  expect(service.events('stopped_at_once')).toEqual([]);
}, 120_000);
