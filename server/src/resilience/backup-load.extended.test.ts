import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, expect, test, vi } from 'vitest';
import { connect } from '../db/connect.ts';
import { startEmbedded } from '../db/embedded.ts';
import { brokenInvariants } from '../invariants/invariants.ts';
import { logTo } from '../logging.ts';
import { freePort } from '../testing/free-port.ts';
import { programOf } from '../testing/program.ts';
import { signIn } from '../testing/remote.ts';
import { admin, startProcess } from '../testing/service-process.ts';
import { ledgerErrors, openLedger, readLedger } from './ledger.ts';
import { makeWriter } from './load.ts';
import { seeded } from './requests.ts';

const seed = Number(process.env.FAULT_SEED ?? Date.now() % 1_000_000);
const random = seeded(seed);
const scratch = await mkdtemp(join(tmpdir(), 'tenure-backup-load-'));
const [dataDir, restoredDir, archive] = ['data', 'restored', 'archive'].map((name) => join(scratch, name)) as [
  string,
  string,
  string,
];
const ledger = openLedger(join(scratch, 'ledger.jsonl'));
const names = ['A', 'B', 'C'];

afterAll(async () => {
  ledger.close();
  await rm(scratch, { recursive: true, force: true });
});

async function run(script: string, directory: string, args: string[] = []) {
  const child = spawn(process.execPath, programOf(script, args), {
    env: { PATH: process.env.PATH, HOME: process.env.HOME, DATA_DIR: directory, BACKUP_URL: archive },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const closed = new Promise<number | null>((done) => child.once('close', done));
  const [, err] = await Promise.all([text(child.stdout), text(child.stderr)]);
  return { code: await closed, err };
}

const acknowledged = () => readLedger(ledger.path).filter(({ outcome }) => outcome === 'ok');

/** What the restored database lacks of the ledger, and all other errors in it. */
async function compareRestored(): Promise<{ lost: Set<number>; others: string[] }> {
  const database = await startEmbedded({ dataDir: restoredDir, log: logTo('silent') });
  const { db } = connect({ url: database.ownerUrl, max: 2 });
  try {
    const lost = new Set<number>();
    // a backup has no files of deleted rows
    const removed = await db.selectFrom('removed_files').select('file_key').execute();
    const expected = new Set(removed.map(({ file_key }) => `the file ${file_key} is gone`));
    const found = await brokenInvariants(db, join(restoredDir, 'files'));
    const others = found.filter((fault) => !expected.has(fault));
    for (const error of await ledgerErrors(db, ledger.path)) {
      const [, n] = /^acknowledged and lost: request (\d+) /.exec(error) ?? [];
      if (n === undefined) others.push(error);
      else lost.add(Number(n));
    }
    return { lost, others };
  } finally {
    await db.destroy();
    await database.stop();
  }
}

test(`a backup under load has the beginning of what each writer did, and nothing by half (seed ${seed})`, async ({
  annotate,
}) => {
  const service = await startProcess({
    dataDir,
    port: await freePort(),
    // request ids are trusted from a proxy, and this test is the proxy
    settings: { TRUST_PROXY: '127.0.0.0/8,::1/128' },
  });
  const client = await signIn(service.address, admin);
  let isOver = false;
  const writing = names.map((name) => makeWriter(name, ledger, random).write(client, () => isOver));
  await vi.waitUntil(() => acknowledged().length >= 60, { timeout: 120_000, interval: 100 });
  const before = new Set(acknowledged().map(({ n }) => n));
  expect(await run('backup', dataDir)).toEqual({ code: 0, err: '' });
  const during = acknowledged().length;
  await vi.waitUntil(() => acknowledged().length > during, { timeout: 120_000, interval: 100 });
  isOver = true;
  await Promise.all(writing);
  expect(await service.stop()).toBe(0);

  expect(await run('restore', restoredDir, ['--yes'])).toEqual({ code: 0, err: '' });
  const { lost, others } = await compareRestored();
  expect(others).toEqual([]);
  expect([...lost].filter((n) => before.has(n))).toEqual([]);
  for (const name of names) {
    const own = acknowledged().filter(({ request_id }) => request_id.startsWith(`${name}-`));
    const states = own.map(({ n }) => lost.has(n));
    // from the first request that is missing in the backup, all later ones are missing
    expect(states, name).toEqual(states.toSorted((a, b) => Number(a) - Number(b)));
  }
  expect(lost.size).toBeGreaterThan(0);
  const all = acknowledged().length;
  await annotate(`${all} acknowledged writes, ${before.size} before the backup, ${all - lost.size} in it`);
}, 600_000);
