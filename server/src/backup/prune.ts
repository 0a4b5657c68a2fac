import type { Archive } from './archive.ts';
import { isChunkName, pathOfChunk } from './chunks.ts';
import { backupsToKeep } from './keep.ts';
import type { Keep } from './keep.ts';
import { listBackups, listUnfinished, readNames } from './manifest.ts';

/** The chunks of a running backup have no manifest yet: only chunks unused for this long are removed. */
const graceMilliseconds = 48 * 3_600_000;

export type Pruned = { backups: string[]; chunks: number };

/** Removes backups that need not be kept, and the files that no backup needs. */
export async function prune(archive: Archive, keep: Keep, now = Date.now()): Promise<Pruned> {
  const isOld = async (path: string) => now - (await archive.changedAt(path)) > graceMilliseconds;
  const ids = await listBackups(archive);
  const keeping = backupsToKeep(ids, keep);
  const removed = ids.filter((id) => !keeping.has(id));
  // read before anything is removed, so that a backup with an unreadable list stops the run here
  const needed = new Set<string>();
  for (const id of keeping) for (const name of await readNames(archive, id)) needed.add(name);
  for (const id of removed) await archive.remove(`backups/${id}`);
  for (const id of await listUnfinished(archive))
    if (await isOld(`backups/${id}`)) await archive.remove(`backups/${id}`);
  let chunks = 0;
  for await (const { name, path } of chunksIn(archive)) {
    if (needed.has(name) || !(await isOld(path))) continue;
    await archive.remove(path);
    chunks += 1;
  }
  return { backups: removed, chunks };
}

async function* chunksIn(archive: Archive): AsyncGenerator<{ name: string; path: string }> {
  for (const folder of await archive.list('chunks'))
    for (const name of await archive.list(`chunks/${folder}`))
      yield { name, path: isChunkName(name) ? pathOfChunk(name) : `chunks/${folder}/${name}` };
}
