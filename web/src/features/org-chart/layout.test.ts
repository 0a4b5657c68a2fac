import type { OrgNode } from '@tenure/contract';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { boundsOf, card, layoutOf, linesOf, linesTo, type Placed } from './layout.ts';
import { growForest, rowsOf, type Branch, type Family } from './tree.ts';

const person = (id: number, count: number): OrgNode => ({
  id,
  type: 'employee',
  name: `Person ${id}`,
  job_title: null,
  department: null,
  entity: null,
  profile_picture_url: null,
  parent_id: null,
  children_count: count,
  people_count: null,
  children: [],
});

/** A forest from each person's manager, given as a lower number or null. All nodes are expanded by default. */
function forestOf(managers: readonly (number | null)[], isOpen: (key: string) => boolean = () => true) {
  const below = (manager: number | null): Family => ({
    nodes: managers.flatMap((one, id) =>
      one === manager ? [person(id, managers.filter((m) => m === id).length)] : [],
    ),
    has_more: false,
  });
  const families = new Map(managers.map((_, id) => [`employee-${id}`, below(id)]));
  return growForest(below(null), false, { families, isOpen });
}

function overlapping(placed: readonly Placed[]): string[] {
  return placed.flatMap((one, index) =>
    placed
      .slice(index + 1)
      .filter(({ x, y }) => Math.abs(x - one.x) < card.width && Math.abs(y - one.y) < card.height)
      .map(({ branch }) => `${one.branch.name} and ${branch.name}`),
  );
}

const managers = fc
  .array(fc.tuple(fc.nat(), fc.boolean()), { minLength: 1, maxLength: 60 })
  .map((people) => people.map(([any, top], id) => (id === 0 || (top && any % 5 === 0) ? null : any % id)));

test('cards never overlap, and every visible node is placed once in any state', () => {
  fc.assert(
    fc.property(managers, fc.infiniteStream(fc.boolean()), (people, opened) => {
      const forest = forestOf(people, (key) => key === 'employee-0' || opened.next().value === true);
      const placed = layoutOf(forest);
      expect(placed.map(({ branch }) => branch.key).toSorted()).toEqual(
        rowsOf(forest)
          .map(({ key }) => key)
          .toSorted(),
      );
      expect(overlapping(placed)).toEqual([]);
    }),
    { numRuns: 150 },
  );
});

test('a child is placed below its parent', () => {
  fc.assert(
    fc.property(managers, (people) => {
      const placed = new Map(layoutOf(forestOf(people)).map((one) => [one.branch.key, one]));
      const bottomOf = (key: string) => (placed.get(key)?.y ?? Infinity) + card.height;
      const beside = [...placed.values()].filter(({ branch, y }) => branch.parent && y < bottomOf(branch.parent.key));
      expect(beside).toEqual([]);
    }),
    { numRuns: 100 },
  );
});

const fan = (count: number) => layoutOf(forestOf([null, ...Array.from({ length: count }, () => 0)]));
const columnsOf = (placed: readonly Placed[]) => new Set(placed.slice(1).map(({ x }) => x)).size;

test.each([
  [3, 3],
  [4, 1],
  [6, 1],
  [7, 2],
  [12, 2],
])('%i collapsed siblings are placed in %i columns', (count, columns) => {
  expect(columnsOf(fan(count))).toBe(columns);
});

test('an expanded branch leaves the stack and gets its own column', () => {
  const twelve = [null, ...Array.from({ length: 12 }, () => 0)];
  const placed = layoutOf(forestOf([...twelve, 1]));
  const opened = placed.find(({ branch }) => branch.id === 1);
  expect(opened?.side).toBe('top');
  expect(placed.filter(({ branch, side }) => branch.depth === 1 && side !== 'top')).toHaveLength(11);
});

test('people without a manager and reports are placed in a grid, without lines', () => {
  const placed = layoutOf(forestOf(Array.from({ length: 9 }, () => null)));
  expect(new Set(placed.map(({ x }) => x)).size).toBe(3);
  expect(linesOf(placed)).toBe('');
  expect(overlapping(placed)).toEqual([]);
});

test('lines connect a parent to each of its children', () => {
  expect(linesOf(fan(2)).match(/M/g)).toHaveLength(2);
  expect(linesTo(fan(12), new Set(['employee-5'])).match(/M/g)).toHaveLength(1);
});

test('the bounds contain every card; an empty chart has none', () => {
  const placed = fan(12);
  const { x, y, width, height } = boundsOf(placed);
  for (const one of placed) {
    expect(one.x).toBeGreaterThanOrEqual(x);
    expect(one.y + card.height).toBeLessThanOrEqual(y + height);
    expect(one.x + card.width).toBeLessThanOrEqual(x + width);
  }
  expect(boundsOf([])).toEqual({ x: 0, y: 0, width: 0, height: 0 });
});

test('places ten thousand people', () => {
  const many = Array.from({ length: 10_000 }, (_, id) => (id === 0 ? null : Math.floor((id - 1) / 8)));
  const below = Map.groupBy(
    many.map((manager, id) => ({ manager, id })),
    ({ manager }) => manager,
  );
  const familyOf = (id: number | null): Family => ({
    nodes: (below.get(id) ?? []).map((one) => person(one.id, below.get(one.id)?.length ?? 0)),
    has_more: false,
  });
  const families = new Map(many.map((_, id) => [`employee-${id}`, familyOf(id)]));
  const placed = layoutOf(growForest(familyOf(null), false, { families, isOpen: () => true }));
  expect(placed).toHaveLength(10_000);
});

test('only lines that may be seen between the columns are drawn', () => {
  const branch = (key: string, parent: Branch | null) => ({ key, parent }) as unknown as Branch;
  const top = branch('top', null);
  const placed = [
    { branch: top, x: 0, y: 0, side: 'top', stem: 0 },
    { branch: branch('near', top), x: 100, y: 200, side: 'top', stem: 0 },
    { branch: branch('far', top), x: 50_000, y: 200, side: 'top', stem: 0 },
  ] as unknown as Placed[];
  const count = (path: string) => path.split('M').length - 1;
  expect(count(linesOf(placed))).toBe(2);
  expect(count(linesOf(placed, 0, 1_000))).toBe(2);
  // the line to the far card passes here
  expect(count(linesOf(placed, 20_000, 21_000))).toBe(1);
  expect(count(linesOf(placed, 60_000, 61_000))).toBe(0);
});
