import type { FileKeys } from './file-keys.ts';

/** The row of the file a manager's key means. */
const rowsOf = (keys: FileKeys, key: string) => keys.numbers.get(key) ?? keys.emails.get(key) ?? [];

/** By what a row is known to others. */
function keysOfRow(row: number, { numbers, emails }: FileKeys): string[] {
  const has = ([, rows]: readonly [string, readonly number[]]) => rows.includes(row);
  return [...numbers, ...emails].filter(has).map(([key]) => key);
}

/**
 * The rows to check again after one was corrected: itself, rows that have or had its number or address, rows whose
 * managers are among these, directly or not, and the managers of all of them.
 */
export function affectedRows(corrected: number, before: FileKeys, after: FileKeys): number[] {
  const affected = new Set([corrected]);
  const changed = new Set([...keysOfRow(corrected, before), ...keysOfRow(corrected, after)]);
  for (const keys of [before, after]) for (const key of changed) for (const row of rowsOf(keys, key)) affected.add(row);
  const followers = new Map<string, number[]>();
  for (const [row, key] of after.managers) {
    const known = followers.get(key);
    if (known) known.push(row);
    else followers.set(key, [row]);
  }
  const keysByRow = new Map<number, string[]>();
  for (const [key, rows] of [...after.numbers, ...after.emails])
    for (const row of rows) keysByRow.set(row, [...(keysByRow.get(row) ?? []), key]);
  const queue = [...changed, ...[...affected].flatMap((row) => keysByRow.get(row) ?? [])];
  for (let key = queue.pop(); key !== undefined; key = queue.pop())
    for (const row of followers.get(key) ?? []) {
      if (affected.has(row)) continue;
      affected.add(row);
      queue.push(...(keysByRow.get(row) ?? []));
    }
  // whether a row may keep its manager is told by the manager's row
  const upwards = [...affected];
  for (let row = upwards.pop(); row !== undefined; row = upwards.pop())
    for (const manager of rowsOf(after, after.managers.get(row) ?? '')) {
      if (affected.has(manager)) continue;
      affected.add(manager);
      upwards.push(manager);
    }
  return [...affected];
}
