import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, test } from 'vitest';
import { readConfig } from '../config.ts';
import { randomBytes, sha256Hex } from '../crypto/crypto.ts';
import { logTo } from '../logging.ts';
import { startS3 } from '../testing/s3-server.ts';
import { randomKey } from './disk.ts';
import { prepareFolder } from './disk-backend.ts';
import { openPlace } from './open.ts';
import { placeOf } from './places.ts';

/** The command `move-files` as a process, killed repeatedly; each run continues where the last one stopped. */

const program = fileURLToPath(new URL('../../../scripts/move-files.ts', import.meta.url));
const scratch = await mkdtemp(join(tmpdir(), 'tenure-killed-move-'));
const s3 = await startS3();
afterAll(async () => {
  await s3.close();
  await rm(scratch, { recursive: true });
});

const files = new Map(Array.from({ length: 60 }, () => [randomKey(), randomBytes(2_000)]));
const bucket = s3.address('moved');
const [source, target] = [join(scratch, 'source'), join(scratch, 'target')];
for (const folder of [source, target]) await prepareFolder(folder);
await writeFile(join(source, 'store-id'), 'one\n');
for (const [key, content] of files) await writeFile(join(source, 'kept', key), content);

const start = (from: string, to: string) =>
  spawn(process.execPath, [program, '--to', to, '--rate', '1000'], {
    env: { PATH: process.env.PATH, DATA_DIR: join(scratch, 'data'), STORAGE_URL: from },
    stdio: ['ignore', 'ignore', 'pipe'],
  });

/** The files of a place, by their hash. */
async function contentOf(address: string) {
  const kept = openPlace(placeOf(address, readConfig({ DATA_DIR: scratch })), logTo('silent'));
  const found = new Map<string, string>();
  for await (const { key } of kept.list()) {
    const pieces = await Array.fromAsync((await kept.open(key))?.stream ?? []);
    found.set(key, sha256Hex(Buffer.concat(pieces as Buffer[])));
  }
  return found;
}

const expected = new Map([...files].map(([key, content]) => [key, sha256Hex(content)]));

/** Runs to the end after this many killed runs: each is killed when `isTime` is true, unless it ends before. */
async function moveWithKills(from: string, to: string, isTime: (run: number) => Promise<unknown>, kills: number) {
  let killed = 0;
  for (let run = 0; run < kills; run += 1) {
    const child = start(from, to);
    const closed = once(child, 'close');
    await Promise.race([isTime(run), closed]);
    child.kill('SIGKILL');
    const [, signal] = (await closed) as [number | null, string | null];
    if (signal === 'SIGKILL') killed += 1;
    for (const [key, hash] of await contentOf(to)) expect([key, hash]).toEqual([key, expected.get(key)]);
  }
  const last = start(from, to);
  expect(await once(last, 'close')).toEqual([0, null]);
  return killed;
}

test('killed in the middle of requests to a bucket, it arrives whole and leaves the former place', async () => {
  // the request at which each run is killed: before the store has the file, after it, and while it is read again
  const moments = [4, 25, 90];
  const isTime = (run: number) =>
    new Promise<void>((resolve) => {
      let count = 0;
      s3.fault = () => {
        count += 1;
        if (count === moments[run]) resolve();
        return undefined;
      };
    });
  expect(await moveWithKills(`file://${source}`, bucket, isTime, moments.length)).toBe(moments.length);
  s3.fault = () => undefined;
  expect(await contentOf(bucket)).toEqual(expected);
  expect(await contentOf(`file://${source}`)).toEqual(expected);
}, 300_000);

test('killed at random moments on the way to a folder, it arrives whole too', async () => {
  const arrived = async () => (await readdir(join(target, 'kept'))).length;
  const isTime = async (run: number) => {
    while ((await arrived()) <= run * 15) await sleep(1);
    await sleep(Math.random() * 5);
  };
  await moveWithKills(bucket, `file://${target}`, isTime, 3);
  expect(await contentOf(`file://${target}`)).toEqual(expected);
  expect((await readdir(join(target, 'kept'))).toSorted()).toEqual([...files.keys()].toSorted());
}, 300_000);
