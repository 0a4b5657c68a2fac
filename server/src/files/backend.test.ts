import * as fs from 'node:fs/promises';
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { parseS3Address } from '../s3/address.ts';
import { describeBackend } from '../testing/backend-suite.ts';
import { startS3 } from '../testing/s3-server.ts';
import { logTo } from '../logging.ts';
import { openIncoming } from './incoming.ts';
import { diskBackend, prepareFolder } from './disk-backend.ts';
import { openPlace } from './open.ts';

const s3 = await startS3();
afterAll(() => s3.close());

describeBackend('a folder', async (folder) => {
  const root = join(folder, 'files');
  await prepareFolder(root);
  return diskBackend(root);
});

describeBackend('a bucket', async () => {
  const address = parseS3Address(s3.address('hr/files'), {});
  return openPlace({ kind: 'bucket', name: address.name, address }, logTo('silent'));
});

test('a folder that is only read is not created', async () => {
  const scratch = await mkdtemp(join(tmpdir(), 'tenure-read-'));
  const kept = diskBackend(join(scratch, 'files'));
  expect([await kept.open('0'.repeat(32)), await kept.readMark()]).toEqual([null, null]);
  expect(await readdir(scratch)).toEqual([]);
  await rm(scratch, { recursive: true });
});

test('a mark is readable for the service only, and foreign text is cut', async () => {
  const scratch = await mkdtemp(join(tmpdir(), 'tenure-mark-'));
  const kept = diskBackend(scratch);
  await kept.writeMark('one');
  expect((await stat(join(scratch, 'store-id'))).mode & 0o777).toBe(0o600);
  await writeFile(join(scratch, 'store-id'), 'x'.repeat(1_000));
  expect(await kept.readMark()).toBe('x'.repeat(100));
  await rm(scratch, { recursive: true });
});

test('a file that was received on another disk is copied whole', async () => {
  const scratch = await mkdtemp(join(tmpdir(), 'tenure-disks-'));
  const [root, received] = [join(scratch, 'files'), await mkdtemp(join(tmpdir(), 'tenure-other-'))];
  await prepareFolder(root);
  const rename: typeof fs.rename = async (from, to) => {
    if (String(from).startsWith(received)) throw Object.assign(new Error('EXDEV'), { code: 'EXDEV' });
    return fs.rename(from, to);
  };
  const kept = diskBackend(root, { ...fs, rename });
  const incoming = await openIncoming(received);
  const file = await incoming.receive([Buffer.from('signed')], { maxBytes: 6 });
  await kept.put(file, '0'.repeat(32));
  expect(await readFile(join(root, 'kept', '0'.repeat(32)), 'utf8')).toBe('signed');
  expect([await readdir(join(root, 'kept')), await readdir(join(received, 'incoming'))]).toEqual([
    ['0'.repeat(32)],
    [],
  ]);
  for (const folder of [scratch, received]) await rm(folder, { recursive: true });
});
