import { rowsNamedBy as rowsOf } from './file-keys.ts';
import type { FileKeys } from './file-keys.ts';

/** The keys of `rows` in the file. */
function keysOfRows({ numbers, emails, names }: FileKeys, rows: ReadonlySet<number>): string[] {
  const found = [...names].flatMap(([name, people]) => (people.some(({ row }) => rows.has(row)) ? [name] : []));
  for (const map of [numbers, emails])
    for (const [key, has] of map)
      if (typeof has === 'number' ? rows.has(has) : has.some((row) => rows.has(row))) found.push(key);
  return found;
}

/** Adds the rows below these rows, level by level. */
function addFollowers(keys: FileKeys, affected: Set<number>, first: readonly string[]): void {
  for (let level = new Set(first); level.size > 0;) {
    const below = new Set<number>();
    for (const [row, manager] of keys.managers) if (level.has(manager) && !affected.has(row)) below.add(row);
    for (const row of below) affected.add(row);
    level = below.size > 0 ? new Set(keysOfRows(keys, below)) : new Set();
  }
}

/** Adds the managers of these rows, up to the top, because a row depends on its manager's row. */
function addManagers(keys: FileKeys, affected: Set<number>): void {
  const open = [...affected];
  for (let row = open.pop(); row !== undefined; row = open.pop())
    for (const manager of rowsOf(keys, keys.managers.get(row) ?? '')) {
      if (affected.has(manager)) continue;
      affected.add(manager);
      open.push(manager);
    }
}

/**
 * The rows to recheck after a correction: the rows themselves, rows that have or had their numbers or addresses, rows
 * below these, and the managers of all of them.
 */
export function affectedRows(corrected: readonly number[], before: FileKeys, after: FileKeys): number[] {
  const affected = new Set(corrected);
  const own = new Set(corrected);
  const changed = [...keysOfRows(before, own), ...keysOfRows(after, own)];
  for (const keys of [before, after]) for (const key of changed) for (const row of rowsOf(keys, key)) affected.add(row);
  addFollowers(after, affected, [...changed, ...keysOfRows(after, affected)]);
  addManagers(after, affected);
  return [...affected];
}
