import { mkdir, rename, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startApp } from '../testing/app.ts';
import { backupsOf, filesOf } from '../testing/backups.ts';
import { backup, pruneCommand, verifyCommand } from './command.ts';
import { pathOfChunk } from './chunks.ts';
import { openArchive } from './archive.ts';
import { listBackups, readNames } from './manifest.ts';

const app = await startApp();
const old = new Date(Date.now() - 3 * 24 * 3_600_000);

test('a backup beyond what is kept goes with the chunks that only it needs, and no others', async () => {
  const { command, folder, with: withSettings } = await backupsOf(app);
  const archive = openArchive(folder);
  const pruning = withSettings({ BACKUP_KEEP: '1d' });
  const { id: first } = await backup(command);
  await app.make.employee();
  const { id: second } = await backup(command);
  const [of, still] = [await readNames(archive, first), await readNames(archive, second)];
  const only = of.filter((name) => !still.includes(name));
  expect(only.length).toBeGreaterThan(0);

  // as if the first were from last year
  await rename(join(folder, 'backups', first), join(folder, 'backups', '20250101T021500Z-000000'));
  await pruneCommand(pruning);
  expect(await listBackups(archive)).toEqual([second]);
  // a running backup may need them
  for (const name of only) expect(await archive.size(pathOfChunk(name))).toBeGreaterThan(0);

  for (const path of await filesOf(join(folder, 'chunks'))) await utimes(path, old, old);
  const killed = {
    draft: join(folder, 'chunks', '00', 'x.draft-y'),
    backup: join(folder, 'backups', '20250102T021500Z-000000'),
  };
  await mkdir(join(folder, 'chunks', '00'), { recursive: true });
  await writeFile(killed.draft, '');
  await utimes(killed.draft, old, old);
  await mkdir(killed.backup);
  await utimes(killed.backup, old, old);
  await pruneCommand(pruning);
  for (const name of only) expect(await archive.size(pathOfChunk(name))).toBe(0);
  const left = await filesOf(join(folder, 'chunks'));
  expect(left).toHaveLength(still.length);
  expect(await archive.list('backups')).toEqual([second]);
  expect(await verifyCommand(command)).toMatchObject({ id: second, wasRead: true });
});
