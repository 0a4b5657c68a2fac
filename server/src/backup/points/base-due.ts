import { clusterFolder } from '../../db/data-dir.ts';
import type { Archive } from '../archive.ts';
import { dueNear } from '../cron.ts';
import { listBases } from './base.ts';
import { readState } from './spool.ts';
import { currentLine } from './wal.ts';

/** When a new base is made, in UTC: WAL of at most a week is read by a restore. */
export const baseAt = '45 3 * * 0';

/** Why a base is to be made now; undefined where points in time go on without one. */
export async function whyBaseIsDue(archive: Archive, dataDir: string, now: number): Promise<string | undefined> {
  const line = await currentLine(clusterFolder(dataDir));
  const newest = (await listBases(archive)).filter((base) => base.line === line).at(-1);
  if (!newest) return 'this database has none';
  const { gap } = readState(dataDir);
  if (gap && gap.line === line && newest.first < gap.segment) return 'WAL after the last one is missing';
  const due = dueNear(baseAt, now, 'before');
  return due !== undefined && Date.parse(newest.from) < due ? 'it is the day of the week for it' : undefined;
}
