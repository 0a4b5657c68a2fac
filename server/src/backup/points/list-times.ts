import type { Archive } from '../archive.ts';
import { readChains, readRanges, rangeText } from './times.ts';

/** Prints the times that can be restored, for the list of backups. */
export async function listTimes(archive: Archive, print: (line: string) => void): Promise<void> {
  const chains = await readChains(archive);
  for (const range of await readRanges(archive, chains)) print(`Points in time: ${rangeText(range)}`);
  for (const { base, missing } of chains)
    if (missing) print(`No points in time directly after base ${base.id}: wal/${base.line}/${missing} is missing`);
}
