import { say } from '../../http/errors.ts';
import type { Text } from '@tenure/contract';
import { messages, text } from '@tenure/contract';
/** A row in the reporting lines. The id of a new person is the negative row number. */
export type Line = {
  row: number;
  node: number;
  /** Undefined if the row keeps the manager. */
  manager: number | null | undefined;
  ok: boolean;
  employed: boolean;
};

/** The reason why a row cannot have its manager. */
export type LineProblem = { row: number; message: Text };

const about = (message: Text): Text => say('reporting_manager_id', message);
const selected = about(messages.unavailable);

function circleMessage(circle: readonly number[], rows: readonly number[]): Text {
  if (circle.length === 1) return selected;
  if (rows.length === 1) return about(text('employees.manager_is_report'));
  return rows.length > 10
    ? text('imports.managers_in_circle_and_more', { rows: rows.slice(0, 10).join(', ') })
    : text('imports.managers_in_circle', { rows: { list: rows } });
}

type ManagerOf = (node: number) => number | null;

/** The manager of each person after all rows are written. */
function afterwards(lines: readonly Line[], chains: ReadonlyMap<number, number>): ManagerOf {
  // a reference by the new address of a row means the person of that row
  const nodeOfRow = new Map(lines.map(({ row, node }) => [-row, node]));
  const own = new Map<number, number | null>();
  for (const { ok, node, manager } of lines)
    if (ok && manager !== undefined) own.set(node, manager === null ? null : (nodeOfRow.get(manager) ?? manager));
  return (node) => (own.has(node) ? (own.get(node) ?? null) : (chains.get(node) ?? null));
}

/** Rows that form a circle with their managers. */
function findCircles(lines: readonly Line[], managerOf: ManagerOf): LineProblem[] {
  const rowOf = new Map(lines.map(({ node, row }) => [node, row]));
  const done = new Set<number>();
  const problems: LineProblem[] = [];
  for (const { node: start } of lines) {
    const path: number[] = [];
    const place = new Map<number, number>();
    for (let node: number | null = start; node !== null && !done.has(node); node = managerOf(node)) {
      const seen = place.get(node);
      if (seen !== undefined) {
        const circle = path.slice(seen);
        const rows = circle.flatMap((member) => rowOf.get(member) ?? []);
        const message = circleMessage(circle, rows);
        problems.push(...rows.map((row) => ({ row, message })));
        break;
      }
      place.set(node, path.length);
      path.push(node);
    }
    for (const node of path) done.add(node);
  }
  return problems;
}

function followersOf(lines: readonly Line[]): ReadonlyMap<number, number[]> {
  const followers = new Map<number, number[]>();
  for (const { ok, manager, row } of lines) {
    if (!ok || typeof manager !== 'number' || manager >= 0) continue;
    const known = followers.get(-manager);
    if (known) known.push(row);
    else followers.set(-manager, [row]);
  }
  return followers;
}

/** Rows whose manager is a row that will not become an employee; with `follow` also those of failed rows. */
function findMissing(lines: readonly Line[], circles: readonly LineProblem[], follow: boolean): LineProblem[] {
  const followers = followersOf(lines);
  const lost = new Set(circles.map(({ row }) => row));
  const problems: LineProblem[] = [];
  const lose = (manager: number, message: Text) => {
    for (const row of followers.get(manager) ?? []) {
      if (lost.has(row)) continue;
      lost.add(row);
      problems.push({ row, message });
    }
  };
  for (const { row, ok, employed } of lines) if (ok && !employed) lose(row, selected);
  if (!follow) return problems;
  const queue = [...lines.filter(({ ok }) => !ok).map(({ row }) => row), ...lost];
  for (let manager = queue.pop(); manager !== undefined; manager = queue.pop()) {
    const before = problems.length;
    lose(manager, text('imports.manager_not_importable', { row: manager }));
    queue.push(...problems.slice(before).map(({ row }) => row));
  }
  return problems;
}

/**
 * Checks the managers after all rows were read. Fails rows in a circle, and rows whose manager is a row that will not
 * become an employee; `followFailures` also fails all rows below failed ones. `chains` are the reporting lines of
 * existing people.
 */
export function checkLines(
  lines: readonly Line[],
  chains: ReadonlyMap<number, number>,
  { followFailures }: { followFailures: boolean },
): LineProblem[] {
  const planned = lines.filter(({ ok, manager }) => ok && manager !== undefined);
  const circles = findCircles(planned, afterwards(lines, chains));
  return [...circles, ...findMissing(lines, circles, followFailures)];
}

/** Sorts rows so that every manager in the file precedes their reports: level by level from the top. */
export function managersFirst(rows: readonly number[], managerRowOf: (row: number) => number | undefined): number[] {
  const depths = new Map<number, number>();
  for (const start of rows) {
    const path: number[] = [];
    const seen = new Set<number>();
    let row: number | undefined = start;
    while (row !== undefined && !depths.has(row) && !seen.has(row)) {
      seen.add(row);
      path.push(row);
      row = managerRowOf(row);
    }
    let depth = row === undefined ? 0 : (depths.get(row) ?? 0) + 1;
    for (const member of path.toReversed()) {
      depths.set(member, depth);
      depth += 1;
    }
  }
  return rows.toSorted((a, b) => (depths.get(a) ?? 0) - (depths.get(b) ?? 0) || a - b);
}
