import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, expect, test } from 'vitest';
import { freePort } from '../testing/free-port.ts';
import { remote, signIn } from '../testing/remote.ts';
import { admin, startProcess } from '../testing/service-process.ts';
import type { Killed, ServiceProcess } from '../testing/service-process.ts';
import { findErrors } from './checked.ts';
import { openLedger, readLedger } from './ledger.ts';
import { makeWriter } from './load.ts';
import { seeded } from './requests.ts';

// as many kills as fit into 15 s, at most 20; FAULT_KILLS sets the number, FAULT_SEED repeats a run
const asked = process.env.FAULT_KILLS === undefined ? undefined : Number(process.env.FAULT_KILLS);
const { most, least, milliseconds } = { most: asked ?? 20, least: asked ?? 2, milliseconds: 15_000 };
const seed = Number(process.env.FAULT_SEED ?? Date.now() % 1_000_000);
const random = seeded(seed);

const scratch = await mkdtemp(join(tmpdir(), 'tenure-killed-'));
const dataDir = join(scratch, 'data');
const ledger = openLedger(join(scratch, 'ledger.jsonl'));
// request ids are trusted from a proxy, and this test is the proxy
const installation = { dataDir, port: await freePort(), settings: { TRUST_PROXY: '127.0.0.0/8,::1/128' } };
const writers = ['A', 'B', 'C'].map((prefix) => makeWriter(prefix, ledger, random));
const ways: readonly Killed[] = ['service', 'service and guard', 'everything', 'everything'];
/** Cookies of sessions with an acknowledged sign-out. */
const ended: Map<string, string>[] = [];
let service: ServiceProcess | undefined;

afterAll(async () => {
  await service?.kill();
  ledger.close();
  await rm(scratch, { recursive: true, force: true });
});

async function revived({ address }: ServiceProcess): Promise<number> {
  const answers = await Promise.all(ended.map((cookies) => remote(address, new Map(cookies)).get('/api/me')));
  return answers.filter(({ status }) => status !== 401).length;
}

/** Runs all writers until the kill, which may come at any moment. */
async function killUnderLoad(running: ServiceProcess, client: Awaited<ReturnType<typeof signIn>>) {
  const leaver = await signIn(running.address, admin);
  const copy = new Map(leaver.cookies);
  const writing = writers.map((writer) => writer.write(client, () => false));
  const leaving = sleep(random() * 200).then(() => leaver.post('/api/logout'));
  const left = leaving.then(
    ({ status }) => status < 300 && ended.push(copy),
    () => undefined,
  );
  await sleep(50 + random() * 550);
  await running.kill(ways[Math.floor(random() * ways.length)]);
  await Promise.all([...writing, left]);
}

test('acknowledged writes survive kills, and other writes are complete or absent (seed ${seed})', async ({
  annotate,
}) => {
  service = await startProcess(installation);
  const client = await signIn(service.address, admin);
  const started = performance.now();
  let kills = 0;
  for (; kills < most && (kills < least || performance.now() - started < milliseconds); kills += 1) {
    await killUnderLoad(service, client);
    service = await startProcess(installation);
    expect(await findErrors(dataDir, ledger.path), `after kill ${kills + 1}`).toEqual([]);
    for (const writer of writers) await writer.repeatUnanswered(client);
    expect(await revived(service)).toBe(0);
  }
  expect(await findErrors(dataDir, ledger.path)).toEqual([]);
  const outcomes = Object.groupBy(readLedger(ledger.path), ({ outcome }) => outcome);
  const [ok, unknown] = [outcomes.ok?.length ?? 0, outcomes.unknown?.length ?? 0];
  const counted = `${ok} acknowledged writes, ${unknown} without an answer, ${ended.length} ended sessions`;
  await annotate(`${kills} kills, ${counted}`);
  expect(ok).toBeGreaterThan(kills);
  expect(await service.stop()).toBe(0);
}, 600_000);
