import { readFile, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { clusterFolder, syncFolder, writeOnce } from './data-dir.ts';
import { stopStray } from './embedded/processes.ts';

/** Renames below DATA_DIR. */
export type Moves = [from: string, to: string][];

const planFile = 'restore.json';

/**
 * Moves a restored database and its files into place. The plan is written first: from then on the restore is complete,
 * and the next start finishes what a kill interrupted.
 */
export async function moveIntoPlace(dataDir: string, moves: Moves): Promise<void> {
  await writeOnce(join(dataDir, planFile), `${JSON.stringify(moves)}\n`);
  await finishMoves(dataDir);
}

/** Finishes the moves of a killed restore. */
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

/** The folders in DATA_DIR in which commands that hold its lock build a cluster. */
const scratchNames = ['restore', 'move', 'upgrade'] as const;
export type ScratchName = (typeof scratchNames)[number];

/** Removes the database copy of a killed command, for a caller that holds the lock of DATA_DIR. */
export async function removeScratches(dataDir: string): Promise<void> {
  for (const name of scratchNames) {
    const scratch = join(dataDir, name);
    // keep any other folder
    if (!(await exists(clusterFolder(scratch)))) continue;
    await stopStray(clusterFolder(scratch));
    // this must not fail a start: the next one retries
    await rm(scratch, { recursive: true, force: true }).catch(() => undefined);
  }
}

function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}
