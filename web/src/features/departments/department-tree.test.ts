import { expect, test } from 'vitest';
import { department } from '../../testing/structure.ts';
import { optionsOf, rowsOf, withAllBelow } from './department-tree.ts';

const all = [
  department({ id: 1, name: 'Buying', employees_count: 2 }),
  department({ id: 2, name: 'Fruit', parent_id: 1, employees_count: 3 }),
  department({ id: 3, name: 'Berries', parent_id: 2, employees_count: 1, status: 'inactive' }),
  department({ id: 4, name: 'Zürich', code: 'ZRH', employees_count: 5 }),
];
const drawn = (...args: Parameters<typeof rowsOf>) =>
  rowsOf(...args).map(({ department: { name }, level, people }) => `${'·'.repeat(level - 1)}${name} ${people}`);

test('departments are listed below their parents, with the number of people in the whole branch', () => {
  expect(drawn(all, new Set())).toEqual(['Buying 6', '·Fruit 4', '··Berries 1', 'Zürich 5']);
  expect(drawn(all, new Set([1]))).toEqual(['Buying 6', 'Zürich 5']);
});

test('each row has its position among its siblings', () => {
  const rows = rowsOf(all, new Set());
  expect(rows.map(({ level, position, siblings }) => [level, position, siblings])).toEqual([
    [1, 1, 2],
    [2, 1, 1],
    [3, 1, 1],
    [1, 2, 2],
  ]);
});

test('a filter keeps the matches and their parents, expanded even if they were collapsed', () => {
  expect(drawn(all, new Set([1, 2]), { search: 'berr' })).toEqual(['Buying 6', '·Fruit 4', '··Berries 1']);
  expect(drawn(all, new Set(), { search: 'zur' })).toEqual(['Zürich 5']);
  expect(drawn(all, new Set(), { search: 'zrh' })).toEqual(['Zürich 5']);
  expect(drawn(all, new Set(), { status: 'inactive' })).toEqual(['Buying 6', '·Fruit 4', '··Berries 1']);
  expect(drawn(all, new Set(), { search: 'nothing' })).toEqual([]);
});

test('a department whose parent is not visible is at the top', () => {
  expect(drawn(all.slice(1), new Set())).toEqual(['Fruit 4', '·Berries 1', 'Zürich 5']);
});

test('options show their path and leave out a branch', () => {
  expect(optionsOf(all).map(({ label }) => label)).toEqual([
    'Buying',
    'Buying › Fruit',
    'Buying › Fruit › Berries',
    'Zürich',
  ]);
  expect(optionsOf(all, withAllBelow(all, 2)).map(({ label }) => label)).toEqual(['Buying', 'Zürich']);
});
