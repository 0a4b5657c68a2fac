import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, expect, test, vi } from 'vitest';
import { BadSetting } from '../config.ts';
import { logTo } from '../logging.ts';
import { parseS3Address } from '../s3/address.ts';
import { openS3 } from '../s3/client.ts';
import { startApp } from '../testing/app.ts';
import { startS3 } from '../testing/s3-server.ts';
import { claimStore } from './claim.ts';
import { randomKey } from './disk.ts';
import { bucketBackend, readMark } from './bucket-backend.ts';
import { diskBackend, prepareFolder } from './disk-backend.ts';
import { watchBucket } from './watch-bucket.ts';
import { waitingLocks } from '../testing/waiting-locks.ts';

const { deps, owner } = await startApp();
const { db } = deps;
const scratch = await mkdtemp(join(tmpdir(), 'tenure-claim-'));
const s3 = await startS3();
afterAll(async () => {
  await s3.close();
  await rm(scratch, { recursive: true });
});
beforeEach(() => owner.query('update installation set store_id = gen_random_uuid(), store_marked = false'));

let folders = 0;
async function newFolder() {
  const root = join(scratch, String((folders += 1)));
  await prepareFolder(root);
  return diskBackend(root);
}
const storeId = async () =>
  (await db.selectFrom('installation').select('store_id').$narrowType<{ store_id: string }>().executeTakeFirstOrThrow())
    .store_id;
const refusal = (work: Promise<void>) =>
  work.then(
    () => '',
    (error: unknown) => (expect(error).toBeInstanceOf(BadSetting), (error as Error).message),
  );

test('the first start marks the store, and the next ones find it', async () => {
  const kept = await newFolder();
  await claimStore(db, { kept });
  expect(await kept.readMark()).toBe(await storeId());
  await claimStore(db, { kept });
  await claimStore(db, { kept: diskBackend(kept.name) });
});

test('a start that was killed between mark and database goes on', async () => {
  const kept = await newFolder();
  await kept.writeMark(await storeId());
  await claimStore(db, { kept });
  await claimStore(db, { kept });
  expect(await kept.readMark()).toBe(await storeId());
});

test('another folder is refused with the way out, which works', async () => {
  await claimStore(db, { kept: await newFolder() });
  const kept = await newFolder();
  const id = await storeId();
  expect(await refusal(claimStore(db, { kept }))).toBe(
    `STORAGE_URL: the files of this database are in another store than ${kept.name}: machines that share a database ` +
      `need S3 or a shared folder. If the files were moved or lost, write ${id} into ${kept.name}/store-id.`,
  );
  expect(await kept.readMark()).toBeNull();
  await writeFile(join(kept.name, 'store-id'), `${id}\n`);
  await claimStore(db, { kept });
});

test('of two machines that start together with folders of their own, one is refused', async () => {
  const [one, two] = [await newFolder(), await newFolder()];
  const [asked, go] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const slow = async () => {
    asked.resolve();
    await go.promise;
    return one.readMark();
  };
  const first = refusal(claimStore(db, { kept: { ...one, readMark: slow } }));
  await asked.promise;
  const second = refusal(claimStore(db, { kept: two }));
  await vi.waitFor(async () => expect(await waitingLocks(owner)).toEqual(['advisory']), 15_000);
  go.resolve();
  expect(await first).toBe('');
  expect(await second).toContain('S3 or a shared folder');
  expect(await two.readMark()).toBeNull();
});

test('the store of another installation is refused, before the first start and after it', async () => {
  const kept = await newFolder();
  await kept.writeMark('another');
  const reason = /^STORAGE_URL: .* contains the files of another installation, which this one would delete/;
  expect(await refusal(claimStore(db, { kept }))).toMatch(reason);
  await claimStore(db, { kept: await newFolder() });
  expect(await refusal(claimStore(db, { kept }))).toMatch(reason);
  expect(await readFile(join(kept.name, 'store-id'), 'utf8')).toBe('another\n');
});

test('a new store is accepted while files are moved out of the one of the database', async () => {
  const [fallback, kept, foreign] = [await newFolder(), await newFolder(), await newFolder()];
  await claimStore(db, { kept: fallback });
  await foreign.writeMark('another');
  expect(await refusal(claimStore(db, { kept, fallback: foreign }))).toContain('are in another store');
  await claimStore(db, { kept, fallback });
  expect(await kept.readMark()).toBe(await storeId());
  await claimStore(db, { kept });
});

function bucket(prefix: string, options?: string) {
  const events: Record<string, unknown>[] = [];
  const log = logTo('info', { write: (line: string) => void events.push(JSON.parse(line) as Record<string, unknown>) });
  const client = openS3(parseS3Address(s3.address(prefix, options), {}));
  const watch = watchBucket({ name: client.address.name, log, everyMs: 20, ask: () => readMark(client) });
  return { kept: bucketBackend(client, watch), events };
}

test('a bucket that refuses the key stops the start in one line', async () => {
  const { kept } = bucket('locked', '&region=eu-west-1');
  expect(await refusal(claimStore(db, { kept }))).toBe(
    'STORAGE_URL: s3://files/locked answered SignatureDoesNotMatch: S3_SECRET_ACCESS_KEY is another.',
  );
});

test('a bucket that is away does not stop the start, and is claimed when it is back', async () => {
  const { kept, events } = bucket('away');
  s3.fault = () => 'cut';
  await claimStore(db, { kept });
  expect(kept.isAway()).toBe(true);
  s3.fault = () => undefined;
  await vi.waitFor(() => expect(events.at(-1)).toMatchObject({ event: 'storage_up' }));
  expect(s3.objects.get('away/store-id')?.toString().trim()).toBe(await storeId());
  expect(await kept.open(randomKey())).toBeNull();
});

test('a bucket that is back and has the files of another installation stays closed', async () => {
  const { kept, events } = bucket('foreign');
  s3.objects.set('foreign/store-id', Buffer.from('another'));
  s3.fault = () => 'cut';
  await claimStore(db, { kept });
  s3.fault = () => undefined;
  await vi.waitFor(() => expect(events.at(-1)).toMatchObject({ event: 'storage_refused' }));
  await expect(kept.open(randomKey())).rejects.toMatchObject({ code: 'AWAY' });
  s3.objects.delete('foreign/store-id');
  await vi.waitFor(() => expect(events.at(-1)).toMatchObject({ event: 'storage_up' }));
});
