import { sentenceOf } from '../../testing/sentences.ts';
import { expect, test } from 'vitest';
import { judgeLines, managersFirst } from './lines.ts';
import type { Line } from './lines.ts';

const none = new Map<number, number>();
const follow = { followFailures: true };
/** A new person in a row under another row, a person who is there, or nobody. */
const line = (row: number, manager: number | null, rest: Partial<Line> = {}): Line => ({
  row,
  node: -row,
  manager,
  ok: true,
  employed: true,
  ...rest,
});
const told = (problems: ReturnType<typeof judgeLines>) =>
  problems.map(({ row, message }) => ({ row, message: sentenceOf(message) }));
const rowsOf = (problems: { row: number }[]) => problems.map(({ row }) => row).toSorted((a, b) => a - b);

test('new people may stand before or after their managers', () => {
  expect(judgeLines([line(2, -3), line(3, -4), line(4, null)], none, follow)).toEqual([]);
});

test('every row of a circle fails, and those below it', () => {
  const lines = [line(2, -3), line(3, -4), line(4, -2), line(5, -4), line(6, -5), line(7, null)];
  expect(rowsOf(judgeLines(lines, none, follow))).toEqual([2, 3, 4, 5, 6]);
  expect(rowsOf(judgeLines(lines, none, { followFailures: false }))).toEqual([2, 3, 4]);
  expect(told(judgeLines([line(2, -2)], none, follow))).toEqual([
    { row: 2, message: 'The selected reporting manager is invalid.' },
  ]);
});

test('a circle may run through people who are there already', () => {
  // row 2 puts person 10 under 20, who reports to 10 by way of 30
  const chains = new Map([
    [20, 30],
    [30, 10],
  ]);
  expect(told(judgeLines([line(2, 20, { node: 10 })], chains, follow))).toEqual([
    { row: 2, message: 'The selected reporting manager reports to this person.' },
  ]);
  // unless another row takes that person out of the line
  expect(judgeLines([line(2, 20, { node: 10 }), line(3, null, { node: 30 })], chains, follow)).toEqual([]);
  // a row that leaves the manager alone changes nothing about it
  expect(
    rowsOf(judgeLines([line(2, 20, { node: 10 }), line(3, 0, { node: 30, manager: undefined })], chains, follow)),
  ).toEqual([2]);
});

test('a manager who fails takes along the people below, one who is inactive only the next', () => {
  const lines = [
    line(2, null, { ok: false }),
    line(3, -2),
    line(4, -3),
    line(5, null, { employed: false }),
    line(6, -5),
  ];
  expect(rowsOf(judgeLines(lines, none, follow))).toEqual([3, 4, 6]);
  expect(rowsOf(judgeLines(lines, none, { followFailures: false }))).toEqual([6]);
});

test('a long line of managers is no trouble', () => {
  const lines = Array.from({ length: 50_000 }, (_, index) => line(index + 2, index === 0 ? null : -(index + 1)));
  expect(judgeLines(lines, none, follow)).toEqual([]);
  const order = managersFirst(lines.map(({ row }) => row).toReversed(), (row) => (row > 2 ? row - 1 : undefined));
  expect(order[0]).toBe(2);
  expect(order).toHaveLength(50_000);
});

test('rows are ordered managers first, each once, and a circle does not hang', () => {
  const managers = new Map([
    [2, 4],
    [3, 2],
    [5, 6],
    [6, 5],
  ]);
  expect(managersFirst([2, 3, 5, 6], (row) => managers.get(row))).toEqual([2, 6, 3, 5]);
});
