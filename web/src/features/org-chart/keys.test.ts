import type { OrgNode } from '@tenure/contract';
import { describe, expect, test } from 'vitest';
import { stepFor, stepInChart, typedRow, type Step } from './keys.ts';
import { boundsOf, layoutOf, type Placed } from './layout.ts';
import { growForest, rowsOf, type Branch } from './tree.ts';
import { firstView, isSeen, viewOf, zoomRange } from './view.ts';

const person = (id: number, name: string, children: OrgNode[] = [], below = children.length): OrgNode => ({
  id,
  type: 'employee',
  name,
  job_title: 'Buyer',
  department: null,
  entity: null,
  profile_picture_url: null,
  parent_id: null,
  children_count: below,
  people_count: null,
  children,
});

// Astrid and Zoe lead; below Astrid are Omar, who has two people of his own, and Öner.
const nodes = [person(1, 'Astrid', [person(2, 'Omar', [], 2), person(3, 'Öner')]), person(9, 'Zoe')];
const forestOf = (...open: number[]) =>
  growForest({ nodes, has_more: false }, false, {
    families: new Map(),
    isOpen: (key) => open.includes(Number(key.split('-')[1])),
  });
const forest = forestOf(1);
const rows = rowsOf(forest);
const at = (name: string) => rows.findIndex((row) => row.name === name);
const branch = (name: string) => rows[at(name)] as Branch;

/** A step as text: its target or its action. */
const textOf = (step: Step | undefined) =>
  step && (step.to?.name ?? (step.toggle ? 'toggle' : step.open ? 'open' : 'nothing'));

describe('keys in the outline', () => {
  test.each([
    ['ArrowDown', 'Astrid', 'Omar'],
    ['ArrowDown', 'Zoe', 'nothing'],
    ['ArrowUp', 'Omar', 'Astrid'],
    ['ArrowUp', 'Astrid', 'nothing'],
    ['Home', 'Zoe', 'Astrid'],
    ['End', 'Astrid', 'Zoe'],
    ['ArrowRight', 'Astrid', 'Omar'],
    ['ArrowRight', 'Omar', 'toggle'],
    ['ArrowRight', 'Öner', 'nothing'],
    ['ArrowLeft', 'Astrid', 'toggle'],
    ['ArrowLeft', 'Omar', 'Astrid'],
    ['ArrowLeft', 'Zoe', 'nothing'],
    ['Enter', 'Omar', 'open'],
    [' ', 'Omar', 'open'],
    ['x', 'Omar', undefined],
    ['Tab', 'Omar', undefined],
  ])('%s on %s: %s', (key, name, expected) => {
    expect(textOf(stepFor(key, rows, at(name)))).toBe(expected);
  });

  test('from right to left the horizontal arrows are swapped', () => {
    expect(textOf(stepFor('ArrowLeft', rows, at('Astrid'), true))).toBe('Omar');
    expect(textOf(stepFor('ArrowRight', rows, at('Omar'), true))).toBe('Astrid');
  });

  test('without a row there is no step', () => {
    expect(stepFor('ArrowDown', rows, 99)).toBeUndefined();
  });
});

describe('typed names', () => {
  test.each([
    ['o', 'Astrid', 'Omar'],
    ['o', 'Omar', 'Öner'],
    ['o', 'Öner', 'Omar'],
    ['om', 'Omar', 'Omar'],
    ['ÖN', 'Zoe', 'Öner'],
    ['a', 'Zoe', 'Astrid'],
    ['q', 'Zoe', undefined],
  ])('“%s” from %s leads to %s', (typed, from, to) => {
    expect(typedRow(typed, rows, at(from))?.name).toBe(to);
  });
});

describe('keys in the chart', () => {
  test.each([
    ['ArrowUp', 'Omar', 'Astrid'],
    ['ArrowUp', 'Zoe', 'nothing'],
    ['ArrowDown', 'Astrid', 'Omar'],
    ['ArrowDown', 'Omar', 'toggle'],
    ['ArrowDown', 'Öner', 'nothing'],
    ['ArrowRight', 'Omar', 'Öner'],
    ['ArrowRight', 'Öner', 'nothing'],
    ['ArrowRight', 'Astrid', 'Zoe'],
    ['ArrowLeft', 'Öner', 'Omar'],
    ['ArrowLeft', 'Omar', 'nothing'],
    ['Home', 'Öner', 'Astrid'],
    ['End', 'Omar', 'Öner'],
    [' ', 'Astrid', 'toggle'],
    ['Enter', 'Astrid', undefined],
  ])('%s on %s: %s', (key, name, expected) => {
    expect(textOf(stepInChart(key, branch(name), forest))).toBe(expected);
  });
});

describe('the view of the canvas', () => {
  const placed = layoutOf(forest);
  const bounds = boundsOf(placed);
  const screen = { width: 1_200, height: 800 };
  const onScreen = ({ x, y }: Placed, view: ReturnType<typeof viewOf>) => [
    x * view.zoom + view.x,
    y * view.zoom + view.y,
  ];

  test('shows everything, at most at full size', () => {
    const view = viewOf(bounds, screen);
    expect(view.zoom).toBe(1);
    expect(placed.every((one) => isSeen(one, view, screen))).toBe(true);
  });

  test('a chart much larger than the screen uses the smallest zoom', () => {
    expect(viewOf({ ...bounds, width: 90_000 }, screen).zoom).toBe(zoomRange.least);
    expect(viewOf({ ...bounds, width: bounds.width * 3, height: bounds.height }, screen).zoom).toBeLessThan(1);
  });

  test('the initial view is legible, and shows the first card if not all fit', () => {
    const small = { width: 300, height: 400 };
    const view = firstView(placed, small);
    expect(view.zoom).toBeGreaterThanOrEqual(0.65);
    const [first] = placed as [Placed];
    expect(isSeen(first, view, small)).toBe(true);
    expect(firstView(placed, screen).zoom).toBeLessThanOrEqual(0.95);
  });

  test('a card counts as visible only as a whole', () => {
    const [first] = placed as [Placed];
    const view = viewOf(bounds, screen);
    expect(isSeen(first, view, screen)).toBe(true);
    const [x = 0, y = 0] = onScreen(first, view);
    for (const shift of [
      { x: view.x - x - 1 },
      { y: view.y - y - 1 },
      { x: view.x + screen.width },
      { y: view.y + screen.height },
    ])
      expect(isSeen(first, { ...view, ...shift }, screen)).toBe(false);
  });
});
