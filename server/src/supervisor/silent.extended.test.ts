import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { Agent, get, request as openRequest } from 'node:http';
import type { ClientRequest, IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { cookieHeader } from '../testing/client.ts';
import { freePort } from '../testing/free-port.ts';
import { signIn } from '../testing/remote.ts';
import type { Remote } from '../testing/remote.ts';
import { admin, pidsOf, secondsToLoad, startProcess } from '../testing/service-process.ts';
import type { ServiceProcess } from '../testing/service-process.ts';

// A process that hangs, with the production timeouts.

const silence = 30_000;
/** Processes are polled six times in this period, so a hang is noticed up to one poll later. */
const latest = silence + silence / 6;
const scratch = await mkdtemp(join(tmpdir(), 'tenure-silent-process-'));
const metricsPort = await freePort();
let service: ServiceProcess;
let client: Remote;

beforeAll(async () => {
  service = await startProcess({
    dataDir: join(scratch, 'data'),
    port: await freePort(),
    settings: { WEB_CONCURRENCY: '2', METRICS_PORT: String(metricsPort) },
  });
  client = await signIn(service.address, admin);
}, 240_000);
afterAll(async () => {
  await service.kill();
  await rm(scratch, { recursive: true, force: true });
});

const pidOf = (name: string) => pidsOf(service)[name] ?? 0;

/** A request on a separate connection: a hanging process accepts none. */
async function ask(address: string): Promise<{ status: number | undefined; body: string; milliseconds: number }> {
  const begun = performance.now();
  const asked = get(address, { agent: false, headers: { referer: `${service.address}/` }, timeout: 60_000 });
  const [answer] = (await once(asked, 'response')) as [IncomingMessage];
  return { status: answer.statusCode, body: await text(answer), milliseconds: performance.now() - begun };
}
const scrape = () => ask(`http://127.0.0.1:${metricsPort}/metrics`);

/** A kept-alive connection of a process. */
async function keepConnection(name: string): Promise<Agent> {
  for (;;) {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const asked = get(`${service.address}/livez`, { agent });
    const [answer] = (await once(asked, 'response')) as [IncomingMessage];
    await text(answer);
    const id = answer.headers['x-request-id'];
    const line = await vi.waitFor(() => {
      const found = service.events('request').find(({ request_id }) => request_id === id);
      if (!found) throw new Error('the request is not in the log yet');
      return found;
    }, 10_000);
    if (line['process'] === name) return agent;
    agent.destroy();
  }
}

const made = async (name: string) =>
  ((await client.post('/api/entities', { name })).body as { data: { id: number; revision: number } }).data;

/** Sends a change on a connection; if that is kept, the response comes when its process continues. */
function change(agent: Agent, id: number, body: unknown): ClientRequest {
  const content = JSON.stringify(body);
  const sent = openRequest(`${service.address}/api/entities/${id}`, {
    method: 'PUT',
    agent,
    headers: {
      accept: 'application/json',
      referer: `${service.address}/`,
      cookie: cookieHeader(client.cookies),
      'x-xsrf-token': client.cookies.get('XSRF-TOKEN') ?? '',
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(content),
    },
  });
  sent.end(content);
  return sent;
}

test('one that goes on after ten seconds stays, and its stale work is refused', async () => {
  const { id, revision } = await made('Acme');
  const kept = await keepConnection('web-1');
  const stopped = pidOf('web-1');
  process.kill(stopped, 'SIGSTOP');
  onTestFinished(() => void process.kill(stopped, 'SIGCONT'));
  const stale = change(kept, id, { name: 'Late', revision });
  const answered = once(stale, 'response') as Promise<[IncomingMessage]>;
  await sleep(1_000);
  // a separate connection, because kept-alive ones may be to the hanging process
  const [others] = (await once(change(new Agent(), id, { name: 'Now', revision }), 'response')) as [IncomingMessage];
  await text(others);
  expect(others.statusCode).toBe(200);
  await sleep(9_000);
  process.kill(stopped, 'SIGCONT');
  const [answer] = await answered;
  await text(answer);
  expect(answer.statusCode).toBe(422);
  kept.destroy();
  const { body } = await client.get(`/api/entities/${id}`);
  expect(body).toMatchObject({ data: { name: 'Now' } });
  await sleep(latest - 10_000);
  expect(service.events('process_lost')).toEqual([]);
}, 120_000);

test.for(['web-2', 'jobs'])(
  '%s, which does not go on, is killed after half a minute; nothing waits for it',
  { timeout: 180_000 },
  async (name, { annotate }) => {
    const [pid, before] = [pidOf(name), service.events('process_lost').length];
    const scrapes: number[] = [];
    const isLost = () => service.events('process_lost').length > before;
    process.kill(pid, 'SIGSTOP');
    const begun = performance.now();
    while (!isLost() && performance.now() - begun < 2 * latest) {
      const { status, body, milliseconds } = await scrape();
      expect(status).toBe(200);
      if (!isLost()) expect(body).toContain(`tenure_process_up{process="${name}"} 0`);
      scrapes.push(milliseconds);
      expect((await ask(`${service.address}/livez`)).status).toBe(200);
      await sleep(500);
    }
    const seconds = (performance.now() - begun) / 1_000;
    expect(service.events('process_lost').at(-1)).toMatchObject({
      process: name,
      pid,
      reason: 'it did not answer its supervisor',
    });
    await vi.waitFor(() => expect(pidOf(name)).not.toBe(pid), { timeout: 60_000, interval: 50 });
    const sorted = scrapes.toSorted((one, other) => one - other);
    const slowest = Math.round(sorted.at(-1) ?? 0);
    await annotate(
      `${name} was killed after ${seconds.toFixed(1)} s; ${scrapes.length} scrapes, the slowest ${slowest} ms.`,
    );
    // a second and a half, on a machine with a free CPU
    expect(slowest).toBeLessThan(1_500 * (await secondsToLoad()));
    expect(seconds).toBeGreaterThan((silence - silence / 6) / 1_000);
    expect(seconds).toBeLessThan(latest / 1_000 + 5);
  },
);
