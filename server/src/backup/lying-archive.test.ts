import { cp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { startApp } from '../testing/app.ts';
import type { TestApp } from '../testing/app.ts';
import { backupsOf } from '../testing/backups.ts';
import { startS3 } from '../testing/s3-server.ts';
import { backup, verifyCommand } from './command.ts';

vi.setConfig({ testTimeout: 120_000 });

/** Stores that return something else than was last written. */

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
  await app.make.employee();
});

test('a place that shows an older state of itself lacks the newest backup, by name', async () => {
  const { command, folder } = await backupsOf(app);
  const { id: first } = await backup(command);
  await cp(folder, `${folder}.older`, { recursive: true });
  const { id: last } = await backup(command);
  expect(await verifyCommand(command)).toMatchObject({ id: last });
  await rename(folder, `${folder}.newer`);
  await rename(`${folder}.older`, folder);
  await expect(verifyCommand(command)).rejects.toThrow(
    `${folder} lacks its newest backup ${last}: check its disk, and make a new backup.`,
  );
  // requested by name, it is unchanged
  expect(await verifyCommand(command, first)).toMatchObject({ id: first, wasRead: true });
  const { rows } = await app.owner.query(
    "select status, error from backups where kind = 'verification' order by id desc limit 2",
  );
  expect(rows).toEqual([
    { status: 'done', error: null },
    { status: 'failed', error: expect.stringContaining(`lacks its newest backup ${last}`) },
  ]);
  await backup(command);
  expect(await verifyCommand(command)).toMatchObject({ wasRead: true });
});

test('a manifest that is whole, and not the one that was written, is named', async () => {
  const { command, folder } = await backupsOf(app);
  const { id, manifestSha256 } = await backup(command);
  const path = join(folder, 'backups', id, 'manifest.json');
  const content = await readFile(path, 'utf8');
  await writeFile(path, content.replace(/"postgres":"[^"]+"/, '"postgres":"1.0"'));
  await expect(verifyCommand(command)).rejects.toThrow(
    `The manifest of ${id} was replaced (the SHA-256 of the original is ${manifestSha256}): use another copy`,
  );
  // another machine, whose database has no record of a backup
  const elsewhere = await startApp();
  const { with: withSettings } = await backupsOf(elsewhere);
  expect(await verifyCommand(withSettings({ BACKUP_URL: folder }))).toMatchObject({ id });
  await rm(folder, { recursive: true });
});

test('an object store that answers with an older object is caught', async () => {
  const s3 = await startS3();
  afterAll(() => s3.close());
  const command = (await backupsOf(app)).with({ BACKUP_URL: s3.address('lies') });
  const { id } = await backup(command);
  expect(await verifyCommand(command)).toMatchObject({ id, wasRead: true });
  const [one = '', other = ''] = [...s3.objects.keys()].filter((key) => key.startsWith('lies/chunks/'));
  const [content, older] = [s3.objects.get(one), s3.objects.get(other)];
  s3.objects.set(one, older as Buffer);
  await expect(verifyCommand(command)).rejects.toThrow(`${one.slice('lies/'.length)} in the archive is damaged`);
  s3.objects.set(one, content as Buffer);
  await backup(command);
  for (const key of s3.objects.keys()) if (key.startsWith('lies/backups/') && !key.includes(id)) s3.objects.delete(key);
  await expect(verifyCommand(command)).rejects.toThrow(/^s3:\/\/files\/lies lacks its newest backup \S+: /);
});
