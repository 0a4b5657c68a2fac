import { isDraft } from '../archive.ts';
import type { Archive } from '../archive.ts';
import { backupsToKeep } from '../keep.ts';
import type { Keep } from '../keep.ts';
import { listBases, listUnfinishedBases } from './base.ts';
import { isLine, isSegment, pathOfWal } from './wal.ts';

export type PrunedPoints = { bases: string[]; segments: number };

/** While a base is being copied, its WAL has no base: only older WAL is removed. */
const graceMilliseconds = 48 * 3_600_000;

/** Removes bases that need not be kept, and the WAL that no base needs. */
export async function prunePoints(archive: Archive, keep: Keep, now = Date.now()): Promise<PrunedPoints> {
  const bases = await listBases(archive);
  const keeping = backupsToKeep(
    bases.map(({ id }) => id),
    keep,
  );
  const removed = bases.filter(({ id }) => !keeping.has(id)).map(({ id }) => id);
  for (const id of removed) await archive.remove(`base/${id}`);
  for (const id of await listUnfinishedBases(archive))
    if (now - (await archive.changedAt(`base/${id}`)) > graceMilliseconds) await archive.remove(`base/${id}`);
  if (bases.length === 0) return { bases: removed, segments: 0 };
  let segments = 0;
  for (const line of (await archive.list('wal')).filter(isLine)) {
    const first = bases
      .filter((base) => base.line === line && keeping.has(base.id))
      .map((base) => base.first)
      .toSorted()[0];
    segments += await pruneLine(archive, line, { first, now });
  }
  return { bases: removed, segments };
}

/** Removes segments before the first one needed; on a line without a base, old ones. */
async function pruneLine(
  archive: Archive,
  line: string,
  { first, now }: { first: string | undefined; now: number },
): Promise<number> {
  let count = 0;
  const isOld = async (path: string) => now - (await archive.changedAt(path)) > graceMilliseconds;
  const names = (await archive.list(`wal/${line}`)).toSorted();
  // remains of a segment whose writer was killed
  for (const path of names.filter(isDraft).map((name) => pathOfWal(line, name)))
    if (await isOld(path)) await archive.remove(path);
  for (const name of names.filter(isSegment)) {
    const path = pathOfWal(line, name);
    const isNeeded = first === undefined ? !(await isOld(path)) : name >= first;
    // later ones are newer
    if (isNeeded) break;
    await archive.remove(path);
    count += 1;
  }
  return count;
}
