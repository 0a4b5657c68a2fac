import { sentenceOf } from '../../testing/sentences.ts';
import { expect, test } from 'vitest';
import { checkLines, managersFirst } from './lines.ts';
import type { Line } from './lines.ts';

const none = new Map<number, number>();
const follow = { followFailures: true };
/** A new person whose row is below another row, an existing person, or no one. */
const line = (row: number, manager: number | null, rest: Partial<Line> = {}): Line => ({
  row,
  node: -row,
  manager,
  ok: true,
  employed: true,
  ...rest,
});
const reported = (problems: ReturnType<typeof checkLines>) =>
  problems.map(({ row, message }) => ({ row, message: sentenceOf(message) }));
const rowsOf = (problems: { row: number }[]) => problems.map(({ row }) => row).toSorted((a, b) => a - b);

test('new people may come before or after their managers', () => {
  expect(checkLines([line(2, -3), line(3, -4), line(4, null)], none, follow)).toEqual([]);
});

test('every row of a circle fails with the rows below', () => {
  const lines = [line(2, -3), line(3, -4), line(4, -2), line(5, -4), line(6, -5), line(7, null)];
  expect(rowsOf(checkLines(lines, none, follow))).toEqual([2, 3, 4, 5, 6]);
  expect(rowsOf(checkLines(lines, none, { followFailures: false }))).toEqual([2, 3, 4]);
  expect(reported(checkLines([line(2, -2)], none, follow))).toEqual([
    { row: 2, message: 'This reporting manager isn’t available. Select another one.' },
  ]);
});

test('a circle may include existing people', () => {
  // row 2 moves person 10 below 20, who reports to 10 through 30
  const chains = new Map([
    [20, 30],
    [30, 10],
  ]);
  expect(reported(checkLines([line(2, 20, { node: 10 })], chains, follow))).toEqual([
    { row: 2, message: 'The selected reporting manager reports to this person.' },
  ]);
  // unless another row moves that person out of the line
  expect(checkLines([line(2, 20, { node: 10 }), line(3, null, { node: 30 })], chains, follow)).toEqual([]);
  // a row without a change of manager does not affect circles
  expect(
    rowsOf(checkLines([line(2, 20, { node: 10 }), line(3, 0, { node: 30, manager: undefined })], chains, follow)),
  ).toEqual([2]);
});

test('a failed manager fails all people below, an inactive one only the direct reports', () => {
  const lines = [
    line(2, null, { ok: false }),
    line(3, -2),
    line(4, -3),
    line(5, null, { employed: false }),
    line(6, -5),
  ];
  expect(rowsOf(checkLines(lines, none, follow))).toEqual([3, 4, 6]);
  expect(rowsOf(checkLines(lines, none, { followFailures: false }))).toEqual([6]);
});

test('a long reporting line is handled', () => {
  const lines = Array.from({ length: 50_000 }, (_, index) => line(index + 2, index === 0 ? null : -(index + 1)));
  expect(checkLines(lines, none, follow)).toEqual([]);
  const order = managersFirst(lines.map(({ row }) => row).toReversed(), (row) => (row > 2 ? row - 1 : undefined));
  expect(order[0]).toBe(2);
  expect(order).toHaveLength(50_000);
});

test('rows are sorted managers first, each once, and a circle terminates', () => {
  const managers = new Map([
    [2, 4],
    [3, 2],
    [5, 6],
    [6, 5],
  ]);
  expect(managersFirst([2, 3, 5, 6], (row) => managers.get(row))).toEqual([2, 6, 3, 5]);
});
