import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { parseS3Address } from '../s3/address.ts';
import { openS3 } from '../s3/client.ts';
import { startApp } from '../testing/app.ts';
import { backupsOf } from '../testing/backups.ts';
import { describeBucketBackups, describeFolderArchive } from '../testing/bucket-backups.ts';
import { startS3 } from '../testing/s3-server.ts';
import { openBucketArchive } from './archive-in-bucket.ts';
import { backup, pruneCommand, verifyCommand } from './command.ts';
import { pathOfChunk } from './chunks.ts';

const s3 = await startS3();
afterAll(() => s3.close());
afterEach(() => {
  s3.fault = () => undefined;
  s3.changedAt = Date.now();
});

describeFolderArchive();
describeBucketBackups('a bucket', (prefix) => s3.address(prefix));

describe('with a bucket', async () => {
  const app = await startApp();
  const archive = await backupsOf(app);
  const command = archive.with({ BACKUP_URL: s3.address('pruned'), BACKUP_KEEP: '1d' });
  const keys = (start: string) => [...s3.objects.keys()].filter((key) => key.startsWith(`pruned/${start}`));

  test('a backup beyond what is kept goes with the chunks that only it needs', async () => {
    const { id: first } = await backup(command);
    await app.make.employee();
    const { id: second } = await backup(command);
    // as if the first were from last year
    for (const key of keys(`backups/${first}/`)) {
      s3.objects.set(key.replace(first, '20250101T021500Z-000000'), s3.objects.get(key) as Buffer);
      s3.objects.delete(key);
    }
    const namesOf = (id: string) =>
      String(s3.objects.get(`pruned/backups/${id}/chunks.txt`))
        .trim()
        .split('\n');
    const [needed, only] = [namesOf(second), namesOf('20250101T021500Z-000000')];
    const unneeded = only.filter((name) => !needed.includes(name));
    expect(unneeded.length).toBeGreaterThan(0);
    await pruneCommand(command);
    expect(keys('backups/').map((key) => key.split('/')[2])).toEqual([second, second]);
    // a running backup may need them
    for (const name of unneeded) expect(keys(pathOfChunk(name))).toHaveLength(1);
    s3.changedAt = Date.now() - 3 * 24 * 3_600_000;
    await pruneCommand(command);
    expect(keys('chunks/').toSorted()).toEqual(needed.map((name) => `pruned/${pathOfChunk(name)}`).toSorted());
    expect(await verifyCommand(command)).toMatchObject({ id: second, wasRead: true });
  });

  test('keys that an address would lead out of the prefix are neither listed nor removed', async () => {
    const client = openS3(parseS3Address(s3.address('pruned'), {}));
    s3.objects.set('pruned/chunks/../../victim/db', Buffer.from('of others'));
    s3.objects.set('victim/db', Buffer.from('of others'));
    const listed = await Array.fromAsync(client.list('chunks/'));
    expect(listed.filter((entry) => 'key' in entry && entry.key.includes('..'))).toEqual([]);
    await expect(client.remove('chunks/../../victim/db')).rejects.toThrow('is no key of an object');
    await expect(client.remove('')).rejects.toThrow('is no key of an object');
    expect(s3.objects.has('victim/db')).toBe(true);
    s3.objects.delete('pruned/chunks/../../victim/db');
  });

  test('a chunk that no complete backup needs is written again, so that no prune takes it meanwhile', async () => {
    const left = archive.with({ BACKUP_URL: s3.address('left') });
    await backup(left);
    for (const key of s3.objects.keys()) if (key.startsWith('left/backups/')) s3.objects.delete(key);
    const { chunks, sentChunks } = await backup(left);
    expect(sentChunks).toBe(chunks);
    expect((await backup(left)).sentChunks).toBeLessThan(chunks);
  });

  test('a backup loses its manifest first, so that none is left without its list of chunks', async () => {
    s3.asked.length = 0;
    const { id } = await backup(command);
    await openBucketArchive(parseS3Address(s3.address('pruned'), {})).remove(`backups/${id}`);
    expect(s3.asked.filter((line) => line.startsWith('DELETE')).map((line) => line.split('/').at(-1))).toEqual([
      'manifest.json',
      'chunks.txt',
      id,
    ]);
    // without its newest backup an archive is not whole
    await expect(verifyCommand(command)).rejects.toThrow(`lacks its newest backup ${id}`);
    await backup(command);
  });

  test.each([
    ['cut', /^s3:\/\/files\/pruned cannot be reached \(ECONNRESET\): check the endpoint and the network\.$/],
    [
      { status: 403, code: 'AccessDenied' },
      /^s3:\/\/files\/pruned answered AccessDenied: the key has no right to it\.$/,
    ],
    [{ status: 503, code: 'SlowDown' }, /^s3:\/\/files\/pruned answered SlowDown\.$/],
  ] as const)('a store that fails by %j ends the backup in one line', async (fault, line) => {
    let puts = 0;
    await app.make.employee();
    s3.fault = (method) => (method === 'PUT' && (puts += 1) > 1 ? fault : undefined);
    await expect(backup(command)).rejects.toThrow(line);
    s3.fault = () => undefined;
    expect(await verifyCommand(command)).toMatchObject({ wasRead: true });
    expect((await backup(command)).chunks).toBeGreaterThan(0);
  });
});
