import { readFile, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { clusterFolder, syncFolder, writeOnce } from './data-dir.ts';
import { stopStray } from './embedded/processes.ts';

/** Names below DATA_DIR: what becomes what. */
export type Moves = [from: string, to: string][];

const planFile = 'restore.json';

/**
 * Moves a restored database and its files into place. The plan is written first: from then on the restore is complete,
 * and what a kill leaves undone is done by the next start.
 */
export async function moveIntoPlace(dataDir: string, moves: Moves): Promise<void> {
  await writeOnce(join(dataDir, planFile), `${JSON.stringify(moves)}\n`);
  await finishMoves(dataDir);
}

/** Does the moves that a killed restore left. */
export async function finishMoves(dataDir: string): Promise<void> {
  const plan = await readFile(join(dataDir, planFile), 'utf8').catch(() => undefined);
  if (plan === undefined) return;
  for (const [from, to] of JSON.parse(plan) as Moves)
    if ((await exists(join(dataDir, from))) && !(await exists(join(dataDir, to))))
      await rename(join(dataDir, from), join(dataDir, to));
  await syncFolder(dataDir);
  await rm(join(dataDir, planFile));
  await syncFolder(dataDir);
}

/** The folders of DATA_DIR in which commands that hold its lock build a cluster. */
const scratchNames = ['restore', 'move', 'upgrade'] as const;
export type ScratchName = (typeof scratchNames)[number];

/** Removes the copy of the database that a killed command left, for a caller that holds the lock of DATA_DIR. */
export async function removeScratches(dataDir: string): Promise<void> {
  for (const name of scratchNames) {
    const scratch = join(dataDir, name);
    // a folder of another kind stays
    if (!(await exists(clusterFolder(scratch)))) continue;
    await stopStray(clusterFolder(scratch));
    // a start must not fail for it: the next one tries again
    await rm(scratch, { recursive: true, force: true }).catch(() => undefined);
  }
}

function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}
