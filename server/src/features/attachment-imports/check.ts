import type { Actor } from '../../access/actor.ts';
import type { Db } from '../../db/connect.ts';
import type { Checking } from '../../imports/kind.ts';
import { saveOutcomes } from '../../imports/outcomes.ts';
import type { Outcome } from '../../imports/record.ts';
import { rowsIn } from '../../imports/write-groups.ts';
import { checkGroup, leftOutcome } from './check-group.ts';
import type { Checked } from './check-group.ts';
import { loadKnown } from './known.ts';
import type { Group, Lines } from './lines.ts';

/** Rows per batch; the rows of a person are never split. */
const batch = 500;

export const outcomeIn = ({ plan: _, ...outcome }: Checked): Outcome => outcome;

/** Splits groups into batches of about the same number of rows. */
export function inBatches(groups: readonly Group[]): Group[][] {
  const parts: Group[][] = [];
  let rows = batch;
  for (const group of groups) {
    if (rows >= batch) {
      parts.push([]);
      rows = 0;
    }
    parts.at(-1)?.push(group);
    rows += group.lines.length;
  }
  return parts;
}

/** Checks the rows of some people by the current data, with a fixed number of statements; `lock` locks the people. */
export async function checkGroups(
  db: Db,
  actor: Actor,
  groups: readonly Group[],
  { lock = false } = {},
): Promise<Checked[]> {
  const numbers = groups.flatMap(({ number }) => number ?? []);
  const checksums = groups.flatMap(({ lines }) => lines.flatMap(({ file }) => file?.checksum ?? []));
  const known = await loadKnown(db, actor, { numbers, checksums, lock });
  return groups.flatMap((group) => checkGroup(actor, group, known.get(group.number ?? '')));
}

type Each = (outcomes: readonly Outcome[]) => void | Promise<void>;

/** Checks all rows, or some rows with the other rows of their people, in batches. */
async function checkRows(
  { db, actor, onProgress }: Checking,
  lines: Lines,
  each: Each,
  rows?: readonly number[],
): Promise<void> {
  const wanted = rows && new Set(rows);
  const isWanted = ({ row }: { row: number }) => wanted?.has(row) ?? true;
  await each(lines.left_out.filter(isWanted).map((line) => outcomeIn(leftOutcome(line))));
  let done = lines.left_out.length;
  for (const groups of inBatches(lines.groups.filter((group) => group.lines.some(isWanted)))) {
    await each((await checkGroups(db, actor, groups)).map(outcomeIn));
    done += rowsIn(groups);
    await onProgress?.(done);
  }
}

/** Checks all rows, or some, and stores the outcomes. */
export const checkAndSave = (checking: Checking, lines: Lines, rows?: readonly number[]): Promise<void> =>
  checkRows(checking, lines, (outcomes) => saveOutcomes(checking.db, checking.record.id, outcomes), rows);

/** The rows whose outcome now differs from the shown one. */
export async function findStale(checking: Checking, lines: Lines): Promise<number[]> {
  const all = [...lines.left_out, ...lines.groups.flatMap((group) => group.lines)];
  const before = new Map(all.map(({ row, digest }) => [row, digest]));
  const stale: number[] = [];
  await checkRows(checking, lines, (outcomes) => {
    for (const { row, digest } of outcomes) if (before.get(row) !== digest) stale.push(row);
  });
  return stale.toSorted((a, b) => a - b);
}
