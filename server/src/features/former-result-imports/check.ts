import type { Checking } from '../../imports/kind.ts';
import { saveOutcomes } from '../../imports/outcomes.ts';
import { cellsOf } from '../../imports/record.ts';
import type { Outcome, StagedCells } from '../../imports/record.ts';
import { checkStaged } from './check-rows.ts';
import type { Checked } from './check-rows.ts';
import type { Keys } from './keys.ts';

const batch = 2_000;

export const outcomeIn = ({ plan: _, ...outcome }: Checked): Outcome => outcome;

type Each = (outcomes: readonly Outcome[], staged: readonly StagedCells[]) => void | Promise<void>;

async function eachBatch(checking: Checking, keys: Keys, each: Each, rows?: readonly number[]): Promise<void> {
  let done = 0;
  for await (const staged of cellsOf(checking.db, checking.record.id, { size: batch, rows })) {
    const checked = await checkStaged({ ...checking, keys }, staged);
    await each(checked.map(outcomeIn), staged);
    done += staged.length;
    await checking.onProgress?.(done);
  }
}

/** Checks all rows, or some, and stores the outcomes. */
export const checkAndSave = (checking: Checking, keys: Keys, rows?: readonly number[]): Promise<void> =>
  eachBatch(checking, keys, (outcomes) => saveOutcomes(checking.db, checking.record.id, outcomes), rows);

/** The rows whose outcome now differs from the shown one. */
export async function findStale(checking: Checking, keys: Keys): Promise<number[]> {
  const stale: number[] = [];
  await eachBatch(checking, keys, (outcomes, staged) => {
    for (const [index, { row, digest }] of outcomes.entries()) if (staged[index]?.digest !== digest) stale.push(row);
  });
  return stale;
}
