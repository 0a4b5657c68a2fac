import type { Db } from '../../db/connect.ts';
import type { Checking } from '../../imports/kind.ts';
import { saveOutcomes } from '../../imports/outcomes.ts';
import type { Outcome } from '../../imports/record.ts';
import { loadExisting } from './existing.ts';
import { checkGroup, leftOutcome } from './check-group.ts';
import type { Checked } from './check-group.ts';
import type { Group, Lines } from './lines.ts';

/** Checks templates by the current database; `lock` locks existing ones. */
export async function checkGroups(
  { db, actor, record }: Pick<Checking, 'actor' | 'record'> & { db: Db },
  groups: readonly Group[],
  { lock = false } = {},
): Promise<Checked[]> {
  const existing = await loadExisting(db, groups, { lock });
  return groups.map((group) => checkGroup({ actor, record }, group, existing.get(group.key)));
}

/** The outcomes of all rows, or of some with the other rows of their templates. */
async function outcomesOf(checking: Checking, lines: Lines, rows?: readonly number[]): Promise<Outcome[]> {
  const wanted = rows && new Set(rows);
  const isWanted = ({ row }: { row: number }) => wanted?.has(row) ?? true;
  const groups = [...lines.groups.values()].filter((group) => group.lines.some(isWanted));
  const checked = await checkGroups(checking, groups);
  await checking.onProgress?.(lines.rows.length);
  return [...lines.left_out.filter(isWanted).map(leftOutcome), ...checked.flatMap(({ outcomes }) => outcomes)];
}

/** Checks all rows, or some, and stores the outcomes. */
export async function checkAndSave(checking: Checking, lines: Lines, rows?: readonly number[]): Promise<void> {
  await saveOutcomes(checking.db, checking.record.id, await outcomesOf(checking, lines, rows));
}

/** The rows whose outcome now differs from the shown one. */
export async function findStale(checking: Checking, lines: Lines): Promise<number[]> {
  const shown = new Map([
    ...lines.left_out.map(({ row, digest }): [number, string] => [row, digest]),
    ...[...lines.groups.values()].flatMap((group) =>
      group.lines.map(({ row, digest }): [number, string] => [row, digest]),
    ),
  ]);
  const outcomes = await outcomesOf(checking, lines);
  return outcomes
    .filter(({ row, digest }) => shown.get(row) !== digest)
    .map(({ row }) => row)
    .toSorted((a, b) => a - b);
}
