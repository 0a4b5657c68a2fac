import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test, vi } from 'vitest';
import { randomBytes, sha256Hex } from '../crypto/crypto.ts';
import { openIncoming } from '../files/incoming.ts';
import { diskBackend, prepareFolder } from '../files/disk-backend.ts';
import { startApp } from '../testing/app.ts';
import { backupsOf, filesOf } from '../testing/backups.ts';
import { openArchive } from './archive.ts';
import { chunkReader } from './chunks.ts';
import { backup, verifyCommand } from './command.ts';
import { readManifest } from './manifest.ts';
import { restoreFiles } from './restore-files.ts';

vi.setConfig({ testTimeout: 600_000 });

const small = 5_000;
const large = 3;

const app = await startApp();
const archive = await backupsOf(app);
const target = await mkdtemp(join(tmpdir(), 'tenure-many-'));
afterAll(() => rm(target, { recursive: true, force: true }));

type File = { key: string; size: number; checksum: string };

/** Adds files to the store, each with its row. */
async function attach(sizes: readonly number[]): Promise<File[]> {
  const { id } = await app.make.employee();
  const files: File[] = [];
  for (const size of sizes) {
    const content = randomBytes(size);
    const key = randomBytes(16).toString('hex');
    await writeFile(join(app.deps.config.DATA_DIR, 'kept', key), content);
    files.push({ key, size, checksum: sha256Hex(content) });
  }
  await app.owner.query(
    `insert into attachments (employee_id, category, title, file_key, file_name, mime_type, size, checksum, uploaded_by_name)
     select $1, 'other', key, key, key, 'application/pdf', size, checksum, 'System'
     from jsonb_to_recordset($2::jsonb) as f (key text, size bigint, checksum text)`,
    [id, JSON.stringify(files)],
  );
  return files;
}

const files = await attach([
  ...Array.from({ length: small }, (_, index) => 1_000 + (index % 40) * 1_000),
  ...Array.from({ length: large }, () => 10_000_000),
]);

test('thousands of small files and some large ones are backed up once', async () => {
  const first = await backup(archive.command);
  expect(first).toMatchObject({ files: small + large, missingFiles: [] });
  const [more] = await attach([5_000]);
  const second = await backup(archive.command);
  expect(second.files).toBe(small + large + 1);
  // the new file, and the changed parts of tables
  expect(second.sentChunks).toBeLessThan(30);
  files.push(more as File);
});

test('they are verified', async () => {
  expect(await verifyCommand(archive.command)).toMatchObject({ wasRead: true });
});

test('they are restored, each with its content', async () => {
  const opened = openArchive(archive.folder);
  const [id = ''] = (await readdir(join(archive.folder, 'backups'))).sort().reverse();
  const { manifest, open } = await readManifest(opened, id, undefined);
  await prepareFolder(target);
  const place = { incoming: await openIncoming(target), kept: diskBackend(target) };
  await restoreFiles(place, manifest, chunkReader(opened, Buffer.from(manifest.naming_key, 'hex'), open));
  const restored = await filesOf(join(target, 'kept'));
  expect(restored).toHaveLength(files.length);
  for (const { key, checksum } of files) expect(sha256Hex(await readFile(join(target, 'kept', key)))).toBe(checksum);
});
