import { flextree } from 'd3-flextree';
import type { Branch } from './tree.ts';

/** Sizes in pixels at full zoom. */
export const card = { width: 224, height: 84 };
const gap = { beside: 24, below: 56, stacked: 28, indent: 30, pair: 60 };
const longestList = 6;
const leastList = 4;
const widestGrid = 6;

export type Placed = {
  branch: Branch;
  x: number;
  y: number;
  /** The side at which the line from the parent ends. */
  side: 'top' | 'left' | 'right';
  /** The x coordinate of the stem of a stacked card. */
  stem: number;
};
export type Bounds = { x: number; y: number; width: number; height: number };

/** A node of the tidy tree: a card, a stack of cards, or the invisible root of several trees. */
type LayoutNode = { branch: Branch | null; stack: readonly Branch[]; columns: number; children: LayoutNode[] };

const isShut = (branch: Branch): boolean => branch.children.length === 0;

/** Siblings without expanded children are stacked in one or two columns; at the top, in a grid without a stem. */
function stackOf(stack: readonly Branch[], atTop: boolean): LayoutNode {
  const columns = atTop ? Math.min(widestGrid, Math.ceil(Math.sqrt(stack.length))) : stack.length > longestList ? 2 : 1;
  return { branch: null, stack, columns, children: [] };
}

function spotsBelow(children: readonly Branch[], atTop: boolean): LayoutNode[] {
  const shut = children.filter(isShut);
  if (shut.length < leastList) return children.map(spotOf);
  return [...children.filter((child) => !isShut(child)).map(spotOf), stackOf(shut, atTop)];
}

const spotOf = (branch: Branch): LayoutNode => ({
  branch,
  stack: [],
  columns: 0,
  children: spotsBelow(branch.children, false),
});

const isGrid = (spot: LayoutNode): boolean => spot.stack.length > 0 && spot.stack[0]?.parent === null;

function sizeOf(spot: LayoutNode): [number, number] {
  if (spot.stack.length === 0) return spot.branch ? [card.width + gap.beside, card.height + gap.below] : [1, 1];
  const rows = Math.ceil(spot.stack.length / spot.columns);
  const height = rows * (card.height + gap.stacked) + gap.below;
  if (isGrid(spot)) return [spot.columns * (card.width + gap.beside), height];
  const width = spot.columns === 2 ? 2 * card.width + gap.pair : card.width + 2 * gap.indent;
  return [width + gap.beside, height];
}

/** The cards of a stack centred at `middle`. */
function cardsOfStack(spot: LayoutNode, middle: number, top: number): Placed[] {
  const { stack, columns } = spot;
  const step = card.height + gap.stacked;
  return stack.map((branch, index): Placed => {
    const [column, y] = [index % columns, top + Math.floor(index / columns) * step];
    if (isGrid(spot)) {
      const x = middle + (column - columns / 2) * (card.width + gap.beside) + gap.beside / 2;
      return { branch, x, y, side: 'top', stem: middle };
    }
    if (columns === 1)
      return { branch, x: middle + gap.indent - card.width / 2, y, side: 'left', stem: middle - card.width / 2 };
    return column === 0
      ? { branch, x: middle - gap.pair / 2 - card.width, y, side: 'right', stem: middle }
      : { branch, x: middle + gap.pair / 2, y, side: 'left', stem: middle };
  });
}

/**
 * Places a forest as tidy trees side by side. Cards never overlap. Collapsed siblings share a stem, so that a dozen of
 * them stay readable.
 */
export function layoutOf(forest: readonly Branch[]): Placed[] {
  if (forest.length === 0) return [];
  const top: LayoutNode = { branch: null, stack: [], columns: 0, children: spotsBelow(forest, true) };
  const tree = flextree<LayoutNode>({
    children: (spot) => spot.children,
    nodeSize: ({ data }) => sizeOf(data),
    spacing: 0,
  });
  const root = tree.hierarchy(top);
  tree(root);
  const placed: Placed[] = [];
  root.each(({ data, x, y }) => {
    if (data.branch) placed.push({ branch: data.branch, x: x - card.width / 2, y, side: 'top', stem: x });
    else placed.push(...cardsOfStack(data, x, y));
  });
  return placed;
}

/** The bounding box of all cards. */
export function boundsOf(placed: readonly Placed[]): Bounds {
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const { x, y } of placed) {
    [left, top] = [Math.min(left, x), Math.min(top, y)];
    [right, bottom] = [Math.max(right, x + card.width), Math.max(bottom, y + card.height)];
  }
  return placed.length === 0
    ? { x: 0, y: 0, width: 0, height: 0 }
    : { x: left, y: top, width: right - left, height: bottom - top };
}

const radius = 8;

/** The path data of the line from a parent to a child. */
export function linePath(parent: Placed, child: Placed): string {
  const [fromX, fromY] = [parent.x + card.width / 2, parent.y + card.height];
  const half = fromY + gap.below / 2;
  if (child.side === 'top') {
    const [toX, toY] = [child.x + card.width / 2, child.y];
    if (Math.abs(toX - fromX) < 1) return `M${fromX} ${fromY}V${toY}`;
    const turn = Math.min(radius, Math.abs(toX - fromX) / 2) * Math.sign(toX - fromX);
    const bend = Math.abs(turn);
    return `M${fromX} ${fromY}V${half - bend}Q${fromX} ${half} ${fromX + turn} ${half}H${toX - turn}Q${toX} ${half} ${toX} ${half + bend}V${toY}`;
  }
  const [toX, toY] = [child.side === 'left' ? child.x : child.x + card.width, child.y + card.height / 2];
  const turn = radius * Math.sign(toX - child.stem);
  return `M${fromX} ${fromY}V${half}H${child.stem}V${toY - radius}Q${child.stem} ${toY} ${child.stem + turn} ${toY}H${toX}`;
}

type Link = { parent: Placed; child: Placed };

function linksOf(placed: readonly Placed[]): Link[] {
  const byKey = new Map(placed.map((one) => [one.branch.key, one]));
  return placed.flatMap((child) => {
    const parent = child.branch.parent && byKey.get(child.branch.parent.key);
    return parent ? [{ parent, child }] : [];
  });
}

/** The path data of the lines to the nodes of these keys. */
export const linesTo = (placed: readonly Placed[], keys: ReadonlySet<string>): string =>
  linksOf(placed)
    .filter(({ child }) => keys.has(child.branch.key))
    .map(({ parent, child }) => linePath(parent, child))
    .join('');

/** The path data from the stem of a stack to one of its cards. */
function stackLine({ child }: Link): string {
  const [toX, toY] = [child.side === 'left' ? child.x : child.x + card.width, child.y + card.height / 2];
  const turn = radius * Math.sign(toX - child.stem);
  return `M${child.stem} ${toY - radius}Q${child.stem} ${toY} ${child.stem + turn} ${toY}H${toX}`;
}

/**
 * The path data of all lines, or of those that may be visible between two x positions of the chart. The stem of a stack
 * is drawn once, down to its last card.
 */
export function linesOf(placed: readonly Placed[], left = -Infinity, right = Infinity): string {
  const links = linksOf(placed);
  const lowest = new Map<string, Link>();
  for (const link of links)
    if (link.child.side !== 'top' && link.child.y >= (lowest.get(link.parent.branch.key)?.child.y ?? -Infinity))
      lowest.set(link.parent.branch.key, link);
  const whole = new Set(lowest.values());
  return links
    .filter(({ parent: { x }, child }) => Math.min(x, child.x) < right && Math.max(x, child.x) > left)
    .map((link) => (link.child.side === 'top' || whole.has(link) ? linePath(link.parent, link.child) : stackLine(link)))
    .join('');
}
