import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { clusterFolder } from '../db/data-dir.ts';
import { serversOf, signal } from '../db/embedded/processes.ts';
import { freePort } from '../testing/free-port.ts';
import { remote, signIn } from '../testing/remote.ts';
import type { Remote } from '../testing/remote.ts';
import { admin, startProcess } from '../testing/service-process.ts';
import type { ServiceProcess } from '../testing/service-process.ts';
import { findErrors } from './checked.ts';
import { openLedger } from './ledger.ts';
import { makeWriter } from './load.ts';
import { seeded } from './requests.ts';

/** All database processes are stopped for half a minute and then continue, as when a storage or a machine hangs. */

const silentSeconds = 30;
/** A request gets 503 after this many seconds without a response from the database; a busy machine adds a few. */
const patience = { seconds: 10, slack: 4 };

const scratch = await mkdtemp(join(tmpdir(), 'tenure-silent-'));
const dataDir = join(scratch, 'data');
let service: ServiceProcess;
let client: Remote;
let stopped: number[] = [];

const signalAll = (pids: readonly number[], name: NodeJS.Signals) => {
  for (const pid of pids) signal(pid, name);
};

beforeAll(async () => {
  service = await startProcess({
    dataDir,
    port: await freePort(),
    // the request ids are those of the ledger
    settings: { TRUST_PROXY: '127.0.0.0/8,::1/128' },
  });
  client = await signIn(service.address, admin);
}, 120_000);
afterAll(async () => {
  signalAll(stopped, 'SIGCONT');
  await service.kill();
  await rm(scratch, { recursive: true, force: true });
});

type Asked = { path: string; status: number; retry: unknown; seconds: number };

async function ask(path: string): Promise<Asked> {
  const begun = performance.now();
  const { status, headers } = await client.send('GET', path, { waitTimeout: 60_000 });
  return { path, status, retry: headers['retry-after'], seconds: (performance.now() - begun) / 1_000 };
}

/** A request of each kind every second, whether or not earlier ones got a response. */
async function askUntil(isOver: () => boolean): Promise<Asked[]> {
  const asked: Promise<Asked>[] = [];
  while (!isOver()) {
    asked.push(ask('/livez'), ask('/api/entities'), ask('/api/me'));
    await sleep(1_000);
  }
  return Promise.all(asked);
}

test('a database that is silent for half a minute costs 503s in bounded time, and nothing that was answered', async ({
  annotate,
}) => {
  const ledger = openLedger(join(scratch, 'ledger.jsonl'));
  const random = seeded(11);
  const writers = ['X', 'Y', 'Z'].map((prefix) => makeWriter(prefix, ledger, random));
  const pids = [service.child.pid, await service.databasePid()];
  const writing = writers.map((writer) => writer.write(client, () => false));
  await sleep(1_500);

  stopped = await serversOf(clusterFolder(dataDir));
  signalAll(stopped, 'SIGSTOP');
  const silent = { isOver: false };
  const asking = askUntil(() => silent.isOver);
  await sleep(silentSeconds * 1_000);
  silent.isOver = true;
  const ready = await ask('/readyz');
  signalAll(stopped, 'SIGCONT');
  const continued = performance.now();
  await vi.waitFor(async () => expect((await ask('/api/entities')).status).toBe(200), {
    timeout: 60_000,
    interval: 50,
  });
  const secondsBack = (performance.now() - continued) / 1_000;

  await Promise.all(writing);
  const asked = await asking;
  const alive = asked.filter(({ path }) => path === '/livez');
  expect(new Set(alive.map(({ status }) => status))).toEqual(new Set([200]));
  const others = asked.filter(({ path }) => path !== '/livez');
  // requests of the last seconds may get their response after the database continues
  const refused = others.filter(({ status }) => status !== 200);
  expect(refused.length).toBeGreaterThan(others.length / 2);
  for (const answer of refused) expect(answer).toMatchObject({ status: 503, retry: '5' });
  expect(Math.max(...others.map(({ seconds }) => seconds))).toBeLessThan(patience.seconds + patience.slack);
  expect(ready).toMatchObject({ status: 503 });

  for (const writer of writers) await writer.repeatUnanswered(client);
  ledger.close();
  expect(await findErrors(dataDir, ledger.path)).toEqual([]);
  // neither the service nor the database was restarted
  expect([service.child.pid, await service.databasePid()]).toEqual(pids);
  expect([service.child.exitCode, service.events('crash'), service.events('start_refused')]).toEqual([null, [], []]);
  expect((await remote(service.address).get('/readyz')).status).toBe(200);
  const slowest = Math.max(...others.map(({ seconds }) => seconds));
  const liveliest = Math.max(...alive.map(({ seconds }) => seconds));
  await annotate(
    `Silent for ${silentSeconds} s: ${refused.length} of ${others.length} requests were 503, the slowest answer after ` +
      `${slowest.toFixed(1)} s, /livez within ${liveliest.toFixed(2)} s; back ${secondsBack.toFixed(1)} s after the end.`,
  );
  expect(secondsBack).toBeLessThan(10);
}, 180_000);
