import type { Actor } from '../../access/actor.ts';
import type { Db } from '../../db/connect.ts';
import type { Checking } from '../../imports/kind.ts';
import { saveOutcomes } from '../../imports/outcomes.ts';
import type { ImportRecord, Outcome } from '../../imports/record.ts';
import { checkGroup, leftOutcome } from './check-group.ts';
import type { HistoryContext, Checked } from './check-group.ts';
import { loadJobs, loadManagers, loadPeople, loadPlaces } from './known.ts';
import type { Group, Lines } from './lines.ts';

/** People per batch. */
export const batch = 1_000;

export const inBatches = <T>(all: readonly T[]): T[][] =>
  Array.from({ length: Math.ceil(all.length / batch) }, (_, index) => all.slice(index * batch, (index + 1) * batch));

type ImportCheck = { actor: Actor; record: ImportRecord };

/** Reads the records that rows can name, once for all rows. */
export async function loadContext(db: Db, { actor, record }: ImportCheck, lines: Lines): Promise<HistoryContext> {
  return {
    actor,
    record,
    places: await loadPlaces(db, actor),
    managers: await loadManagers(db, actor, lines.managers),
  };
}

/** Checks the rows of some people by the current database; `lock` locks the people. */
export async function checkGroups(
  db: Db,
  context: HistoryContext,
  groups: readonly Group[],
  { lock = false } = {},
): Promise<Checked[]> {
  const numbers = groups.flatMap(({ number }) => number ?? []);
  const people = await loadPeople(db, context.actor, numbers, { lock });
  const jobs = await loadJobs(
    db,
    [...people.values()].map(({ id }) => id),
  );
  return groups.map((group) => {
    const person = people.get(group.number ?? '');
    return checkGroup(context, group, person, jobs.get(person?.id ?? 0) ?? []);
  });
}

type Each = (outcomes: readonly Outcome[]) => void | Promise<void>;

/** Checks all rows, or some rows with the other rows of their people, in batches. */
async function checkRows(
  { db, actor, record, onProgress }: Checking,
  lines: Lines,
  each: Each,
  rows?: readonly number[],
) {
  const wanted = rows && new Set(rows);
  const isWanted = ({ row }: { row: number }) => wanted?.has(row) ?? true;
  const context = await loadContext(db, { actor, record }, lines);
  await each(lines.left_out.filter(isWanted).map(leftOutcome));
  let read = lines.left_out.length;
  for (const groups of inBatches(lines.groups.filter((group) => group.lines.some(isWanted)))) {
    const outcomes = (await checkGroups(db, context, groups)).flatMap((one) => one.outcomes);
    await each(outcomes);
    read += outcomes.length;
    await onProgress?.(read);
  }
}

/** Checks all rows, or some, and stores the outcomes. */
export const checkAndSave = (checking: Checking, lines: Lines, rows?: readonly number[]): Promise<void> =>
  checkRows(checking, lines, (outcomes) => saveOutcomes(checking.db, checking.record.id, outcomes), rows);

/** The rows whose outcome now differs from the shown one. */
export async function findStale(checking: Checking, lines: Lines): Promise<number[]> {
  const all = [...lines.left_out, ...lines.groups.flatMap((group) => group.lines)];
  const shown = new Map(all.map(({ row, digest }) => [row, digest]));
  const stale: number[] = [];
  await checkRows(checking, lines, (outcomes) => {
    for (const { row, digest } of outcomes) if (shown.get(row) !== digest) stale.push(row);
  });
  return stale.toSorted((a, b) => a - b);
}
