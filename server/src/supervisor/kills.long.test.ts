import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, expect, test, vi } from 'vitest';
import { findErrors } from '../resilience/checked.ts';
import { openLedger, readLedger } from '../resilience/ledger.ts';
import { makeWriter } from '../resilience/load.ts';
import { seeded } from '../resilience/requests.ts';
import { freePort } from '../testing/free-port.ts';
import { remote, signIn } from '../testing/remote.ts';
import type { Remote } from '../testing/remote.ts';
import { admin, pidsOf, secondsMissing, secondsToLoad, startProcess } from '../testing/service-process.ts';
import type { ServiceProcess } from '../testing/service-process.ts';

// Kills single processes at random times during writes. FAULT_KILLS sets the number of kills of web processes, of the
// job process and of the supervisor; FAULT_SEED repeats a run.
const kills = Number(process.env.FAULT_KILLS ?? 4);
const seed = Number(process.env.FAULT_SEED ?? Date.now() % 1_000_000);
const random = seeded(seed);

const scratch = await mkdtemp(join(tmpdir(), 'tenure-kills-'));
const dataDir = join(scratch, 'data');
const ledger = openLedger(join(scratch, 'ledger.jsonl'));
// request ids are trusted from a proxy, and this test is the proxy
const settings = { TRUST_PROXY: '127.0.0.0/8,::1/128', WEB_CONCURRENCY: '2', CONNECTIONS_PER_ADDRESS: '0' };
const installation = { dataDir, port: await freePort(), settings };
const writers = ['A', 'B', 'C'].map((prefix) => makeWriter(prefix, ledger, random));
const wait = { timeout: 60_000, interval: 20 };
const others = { timeout: 1_000, interval: 5 };
/** A process that ran for this long is replaced without a longer pause. */
const steadyMilliseconds = 10_500;
/** The time from the end of a process until another serves, by the supervisor's log, on a machine without overload. */
const maxSeconds = 5;
/** The longest time that this machine took to load the service meanwhile. */
let slowest = 1;
let service: ServiceProcess;

afterAll(async () => {
  await service.kill();
  ledger.close();
  await rm(scratch, { recursive: true, force: true });
});

/** Writes until the end; repeats requests without a response with their key. */
async function writeOn(client: Remote, isOver: () => boolean): Promise<void> {
  await Promise.all(
    writers.map(async (writer) => {
      while (!isOver()) {
        await writer.write(client, isOver);
        await writer.repeatUnanswered(client).catch(() => sleep(20));
      }
      await vi.waitFor(() => writer.repeatUnanswered(client), wait);
    }),
  );
}

/** Kills the process with this name; returns the milliseconds until its replacement serves. */
async function killed(name: string): Promise<number> {
  const pid = Number(pidsOf(service)[name]);
  const at = performance.now();
  process.kill(pid, 'SIGKILL');
  // connections to the killed process end; a new one reaches the other process
  await vi.waitFor(async () => expect((await remote(service.address).get('/livez')).status).toBe(200), others);
  await vi.waitFor(() => expect(pidsOf(service)[name]).not.toBe(pid), wait);
  return performance.now() - at;
}

/** Repeatedly kills the longest-running process with one of these names. */
async function killInTurn(names: readonly string[]): Promise<number[]> {
  const took: number[] = [];
  for (let count = 0; count < kills; count += 1) {
    await sleep((steadyMilliseconds + random() * 1_000) / names.length);
    took.push(await killed(names[count % names.length] ?? ''));
    slowest = Math.max(slowest, await secondsToLoad());
  }
  return took;
}

const acknowledged = () => readLedger(ledger.path).filter(({ outcome }) => outcome === 'ok').length;
const seconds = (took: readonly number[]) => (Math.max(...took) / 1000).toFixed(1);

test(`killed web processes and processes for jobs are replaced, and no write is lost (seed ${seed})`, async ({
  annotate,
}) => {
  service = await startProcess(installation);
  const client = await signIn(service.address, admin);
  let isOver = false;
  const writing = writeOn(client, () => isOver);
  const killing = Promise.all([killInTurn(['web-1', 'web-2']), killInTurn(['jobs'])]);
  const [web, jobs] = await killing.finally(() => {
    isOver = true;
  });
  await writing;
  expect(service.events('process_lost').map(({ reason }) => reason)).toEqual(Array(2 * kills).fill('SIGKILL'));
  expect(await findErrors(dataDir, ledger.path)).toEqual([]);
  for (const name of ['web-1', 'web-2', 'jobs']) {
    const missing = secondsMissing(service, name);
    expect(missing.length, name).toBeGreaterThanOrEqual(Math.floor(kills / 2));
    expect(Math.max(...missing), name).toBeLessThanOrEqual(maxSeconds * slowest);
  }
  const longest = `replaced after ${seconds(web)} s (web) and ${seconds(jobs)} s (jobs) at most`;
  await annotate(`${kills} kills each, ${acknowledged()} acknowledged writes; ${longest}`);
  expect(acknowledged()).toBeGreaterThan(kills);
}, 3_600_000);

test(`after kills of the supervisor no write is lost (seed ${seed})`, async ({ annotate }) => {
  const before = acknowledged();
  const client = await signIn(service.address, admin);
  for (let count = 0; count < kills; count += 1) {
    const writing = writers.map((writer) => writer.write(client, () => false));
    await sleep(50 + random() * 550);
    process.kill(Number(service.child.pid), 'SIGKILL');
    await Promise.all(writing);
    // the next start waits for what the killed process left behind
    service = await startProcess(installation);
    for (const writer of writers) await writer.repeatUnanswered(client);
    expect(await findErrors(dataDir, ledger.path), `after kill ${count + 1}`).toEqual([]);
  }
  await annotate(`${kills} kills, ${acknowledged() - before} acknowledged writes`);
  expect(await service.stop()).toBe(0);
}, 3_600_000);
