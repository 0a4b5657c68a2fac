import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import type { Archive } from '../backup/archive.ts';
import { openArchive } from '../backup/archive.ts';
import { openBucketArchive } from '../backup/archive-in-bucket.ts';
import { backup, listCommand, pruneCommand, verifyCommand } from '../backup/command.ts';
import { restore } from '../backup/restore-command.ts';
import { parseS3Address } from '../s3/address.ts';
import { startApp } from './app.ts';
import { backupsOf } from './backups.ts';
import { emptyDatabase } from './databases.ts';
import { brokenInvariants } from '../invariants/invariants.ts';

/** Tests of a backup archive in any place; `open` returns an empty one. */
export function describeArchive(name: string, open: () => Promise<Archive>): void {
  describe(`an archive in ${name}`, () => {
    test('has what was written, by name, size and time', async () => {
      const archive = await open();
      expect([await archive.describe(), await archive.read('a'), await archive.list('.')]).toEqual([
        undefined,
        undefined,
        [],
      ]);
      await archive.write('archive.json', '{"format":1,"installation":"0011"}');
      await archive.write('chunks/ab/one', Buffer.alloc(8 * 1_024 * 1_024, 1));
      for (const path of ['chunks/ab/two', 'chunks/cd/three', 'backups/x/chunks.txt']) await archive.write(path, path);
      expect(await archive.describe()).toEqual({ format: 1, installation: '0011' });
      expect((await archive.list('.')).toSorted()).toEqual(['archive.json', 'backups', 'chunks']);
      expect((await archive.list('chunks')).toSorted()).toEqual(['ab', 'cd']);
      expect((await archive.list('chunks/ab')).toSorted()).toEqual(['one', 'two']);
      expect(await archive.list('nothing')).toEqual([]);
      expect([await archive.size('chunks/ab/one'), await archive.size('chunks/ab/three')]).toEqual([8_388_608, 0]);
      expect((await archive.read('chunks/cd/three'))?.toString()).toBe('chunks/cd/three');
      expect((await archive.read('chunks/cd/three', 15))?.toString()).toBe('chunks/cd/three');
      await expect(archive.read('chunks/cd/three', 14)).rejects.toThrow(
        'chunks/cd/three, which is damaged (too large)',
      );
      for (const path of ['chunks/ab/one', 'backups/x'])
        expect(Math.abs((await archive.changedAt(path)) - Date.now())).toBeLessThan(600_000);
      expect(await archive.changedAt('nothing')).toBe(0);
    });

    test('loses what is removed, a folder with all that is in it', async () => {
      const archive = await open();
      for (const path of ['b/x/chunks.txt', 'b/x/manifest.json', 'b/xy', 'c']) await archive.write(path, path);
      await archive.remove('b/x');
      await archive.remove('c');
      await archive.remove('c');
      expect(await archive.list('b')).toEqual(['xy']);
      expect(await archive.list('.')).toEqual(['b']);
    });
  });
}

/** Tests of backups to a bucket of files in a bucket; `address` returns the setting for a prefix of it. */
export function describeBucketBackups(name: string, address: (prefix: string) => string): void {
  let count = 0;
  const place = () => address(`archive-${(count += 1)}`);
  describeArchive(name, async () => openBucketArchive(parseS3Address(place(), {})));

  test(`a backup in ${name} is made, listed, verified, pruned and restored`, { timeout: 180_000 }, async () => {
    const app = await startApp({ STORAGE_URL: address('files') });
    await app.make.admin();
    const entity = await app.make.entity();
    for (let person = 0; person < 20; person += 1) await app.make.employee({ entity_id: entity.id });
    const content = Buffer.alloc(300_000, 'what the picture shows');
    const key = await app.deps.files.keep(await app.deps.files.receive([content], { maxBytes: content.length }));
    await app.owner.query('update employees set picture_key = $1 where id = (select min(id) from employees)', [key]);
    const archive = await backupsOf(app);
    const settings = { STORAGE_URL: address('files'), BACKUP_URL: address('backups') };
    const command = archive.with(settings);

    const first = await backup(command);
    expect(first).toMatchObject({ files: 1, missingFiles: [] });
    const second = await backup(command);
    expect(second.sentChunks).toBeLessThan(first.sentChunks / 5);
    expect(await verifyCommand(command)).toMatchObject({
      id: second.id,
      wasRead: true,
      manifestSha256: second.manifestSha256,
    });
    archive.printed.length = 0;
    await listCommand(command);
    await pruneCommand(command);
    expect(archive.printed).toMatchObject([
      expect.stringMatching(`^${first.id} .* not encrypted$`),
      expect.stringMatching(`^${second.id} .* not encrypted$`),
      'Removed 0 backups and 0 chunks',
    ]);
    const shown = archive.printed.join('\n');
    expect(shown).not.toContain('secret');

    const [target, bucket] = [await emptyDatabase(), address('restored')];
    const dataDir = await mkdtemp(join(tmpdir(), 'tenure-restored-'));
    afterAll(() => rm(dataDir, { recursive: true, force: true }));
    const addresses = { DATABASE_URL: target.appUrl, DATABASE_MIGRATION_URL: target.ownerUrl };
    const into = archive.with({ ...settings, ...addresses, STORAGE_URL: bucket, DATA_DIR: dataDir });
    const confirm = async () => true;
    const more = { replace: false, mail: 'hold', confirm, checks: brokenInvariants } as const;
    expect(await restore({ ...into, ...more })).toBe(true);
    expect(archive.printed.join('\n')).toMatch(/add the files of the backup to those in s3:\/\/[^?]+restored/);
    const restored = await startApp({ STORAGE_URL: bucket }, { database: target });
    const found = await restored.deps.files.open(key);
    expect(found && Buffer.concat(await Array.fromAsync(found.stream as AsyncIterable<Buffer>)).equals(content)).toBe(
      true,
    );
    const { store_id, store_marked } = await restored.deps.db
      .selectFrom('installation')
      .select(['store_id', 'store_marked'])
      .executeTakeFirstOrThrow();
    expect([await restored.deps.files.places.kept.readMark(), store_marked]).toEqual([store_id, true]);

    const other = await emptyDatabase();
    const beside = { ...settings, DATABASE_URL: other.appUrl, DATABASE_MIGRATION_URL: other.ownerUrl };
    const again = { ...archive.with({ ...beside, STORAGE_URL: bucket, DATA_DIR: dataDir }), ...more };
    await expect(restore(again)).rejects.toThrow(/restored contains the files of an installation.*--use-store/);
    expect(await restore({ ...again, useStore: true })).toBe(true);
  });
}

/** The same for an archive on a disk. */
export const describeFolderArchive = () =>
  describeArchive('a folder', async () => {
    const root = await mkdtemp(join(tmpdir(), 'tenure-archive-'));
    afterAll(() => rm(root, { recursive: true, force: true }));
    return openArchive(root);
  });
