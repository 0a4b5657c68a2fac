import { mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { afterAll } from 'vitest';
import { ownMigrations } from '../db/migration-files.ts';

/** A folder for the test file, with the migrations of this release and of a later one. */
export async function migrationsWith(later: Readonly<Record<string, string>>): Promise<URL> {
  const folder = await mkdtemp(join(tmpdir(), 'tenure-migrations-'));
  afterAll(() => rm(folder, { recursive: true }));
  const own = fileURLToPath(ownMigrations);
  for (const name of await readdir(own)) await symlink(join(own, name), join(folder, name));
  for (const [name, text] of Object.entries(later)) await writeFile(join(folder, name), text);
  return pathToFileURL(`${folder}/`);
}
