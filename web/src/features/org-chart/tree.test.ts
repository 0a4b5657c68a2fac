import type { OrgNode } from '@tenure/contract';
import { expect, test } from 'vitest';
import { growForest, keyOf, rowsOf, type Branch, type Family } from './tree.ts';

const person = (id: number, children_count = 0, children: OrgNode[] = []): OrgNode => ({
  id,
  type: 'employee',
  name: `Person ${id}`,
  job_title: 'Buyer',
  department: { id: 4, name: 'Purchasing' },
  entity: null,
  profile_picture_url: null,
  parent_id: null,
  children_count,
  people_count: null,
  children,
});
const department = (id: number, entity: number, people_count: number, children_count = 0): OrgNode => ({
  ...person(id, children_count),
  type: 'department',
  name: `Department ${id}`,
  job_title: null,
  department: null,
  entity: { id: entity, name: `Company ${entity}` },
  people_count,
});
const family = (nodes: OrgNode[], more: Partial<Family> = {}): Family => ({ nodes, has_more: false, ...more });
const everything = () => true;
const drawn = (rows: readonly Branch[]) =>
  rows.map(({ name, depth, position, siblings }) => `${'·'.repeat(depth)}${name} ${position}/${siblings}`);

test('preloaded branches need no request, and collapsed nodes have no children', () => {
  const top = family([person(1, 2, [person(2), person(3, 4)])]);
  const forest = growForest(top, false, { families: new Map(), isOpen: (key) => key === 'employee-1' });
  expect(drawn(rowsOf(forest))).toEqual(['Person 1 1/1', '·Person 2 1/2', '·Person 3 2/2']);
  expect(rowsOf(forest).map(({ canOpen, isOpen, waits }) => [canOpen, isOpen, waits])).toEqual([
    [true, true, null],
    [false, false, null],
    [true, false, null],
  ]);
});

test('an expanded node shows that its children are loading, failed or loaded', () => {
  const grow = (families: Map<string, Family | null>) =>
    rowsOf(growForest(family([person(1, 1)]), false, { families, isOpen: everything }));
  expect(grow(new Map())[0]?.waits).toBe('loading');
  expect(grow(new Map([['employee-1', null]]))[0]?.waits).toBe('failed');
  expect(drawn(grow(new Map([['employee-1', family([person(2)])]])))).toEqual(['Person 1 1/1', '·Person 2 1/1']);
});

test('departments are below their companies: child departments first, then people', () => {
  const top = family([department(4, 1, 2, 1), department(9, 2, 0)]);
  const families = new Map([['department-4', family([department(5, 1, 0)], { people: [person(57)], has_more: true })]]);
  const rows = rowsOf(growForest(top, true, { families, isOpen: everything }));
  expect(drawn(rows)).toEqual([
    'Company 1 1/2',
    '·Department 4 1/1',
    '··Department 5 1/2',
    '··Person 57 2/2',
    'Company 2 2/2',
    '·Department 9 1/1',
  ]);
  expect(rows.filter(({ hasMore }) => hasMore).map(({ name }) => name)).toEqual(['Department 4']);
  expect(rows.find(({ id }) => id === 9)?.canOpen).toBe(false);
});

test('a cycle ends where it started', () => {
  const families = new Map([
    [keyOf('employee', 1), family([person(2, 1)])],
    [keyOf('employee', 2), family([person(1, 1), person(3)])],
  ]);
  const rows = rowsOf(growForest(family([person(1, 1)]), false, { families, isOpen: everything }));
  expect(drawn(rows)).toEqual(['Person 1 1/1', '·Person 2 1/1', '··Person 3 1/1']);
});
