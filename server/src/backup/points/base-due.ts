import { clusterFolder } from '../../db/data-dir.ts';
import type { Archive } from '../archive.ts';
import { dueNear } from '../cron.ts';
import { pauseAfter } from './base-state.ts';
import { listBases } from './base.ts';
import type { BasePlace } from './base.ts';
import { readState } from './spool.ts';
import { currentLine } from './wal.ts';

/** When a new base is made, in UTC, so that a restore reads at most a week of WAL. */
export const baseAt = '45 3 * * 0';

const basesOf = async (archive: Archive, dataDir: string): Promise<BasePlace[]> => {
  const line = await currentLine(clusterFolder(dataDir));
  return (await listBases(archive)).filter((base) => base.line === line);
};

const day = 86_400_000;

/**
 * Whether the next base has to wait because several were made within a day: an archive or disk that keeps causing gaps
 * must not get a copy of the whole cluster for each.
 */
export async function isBasePaused(archive: Archive, dataDir: string, now: number): Promise<boolean> {
  const made = (await basesOf(archive, dataDir)).map(({ from }) => Date.parse(from)).filter((at) => now - at < day);
  return made.length > 1 && now - Math.max(...made) < pauseAfter(made.length - 1);
}

/** Why a base must be made now; undefined if points in time continue without one. */
export async function whyBaseIsDue(archive: Archive, dataDir: string, now: number): Promise<string | undefined> {
  const newest = (await basesOf(archive, dataDir)).at(-1);
  if (!newest) return 'this database has no base yet';
  const { gap } = readState(dataDir);
  if (gap && gap.line === newest.line && newest.first < gap.segment) return 'WAL after the last base is missing';
  const due = dueNear(baseAt, now, 'before');
  return due !== undefined && Date.parse(newest.from) < due ? 'the weekly base is due' : undefined;
}
