import { maxOrgNodes } from '@tenure/contract';
import type { OrgNode } from '@tenure/contract';

export type FlatNode = Omit<OrgNode, 'children'>;

/** The source of the levels of a chart: at most `limit` nodes at its top, and all direct children of others. */
export type Levels = {
  top: (limit: number) => Promise<FlatNode[]>;
  below: (parentIds: readonly number[]) => Promise<FlatNode[]>;
  /** The ancestors of a person, from the top; null if the person is not in the chart. */
  path: (personId: number) => Promise<number[] | null>;
};

/** The nodes whose children all fit into the remaining space, in order. */
export function fitting(nodes: readonly FlatNode[], room: number): FlatNode[] {
  let left = room;
  return nodes.filter(({ children_count }) => {
    const fits = children_count > 0 && children_count <= left;
    if (fits) left -= children_count;
    return fits;
  });
}

/** Builds a tree; `parent_id` refers to the parent in the previous level. */
export function nested([top = [], ...lower]: readonly FlatNode[][]): OrgNode[] {
  const nodes = top.map((node): OrgNode => ({ ...node, children: [] }));
  let parents = new Map(nodes.map((node) => [node.id, node]));
  for (const level of lower) {
    const next = new Map<number, OrgNode>();
    for (const flat of level) {
      const node: OrgNode = { ...flat, children: [] };
      parents.get(flat.parent_id ?? 0)?.children.push(node);
      next.set(node.id, node);
    }
    parents = next;
  }
  return nodes;
}

/**
 * Reads a chart level by level, with one statement each. The chart shows all children of a node or none; `has_more` is
 * set if some within the depth did not fit.
 */
export async function grow(levels: Levels, depth: number): Promise<{ nodes: OrgNode[]; has_more: boolean }> {
  const first = await levels.top(maxOrgNodes + 1);
  const read = [first.slice(0, maxOrgNodes)];
  let room = maxOrgNodes - first.length;
  let has_more = room < 0;
  while (read.length < depth) {
    const level = read.at(-1) ?? [];
    const parents = fitting(level, room);
    has_more ||= level.filter(({ children_count }) => children_count > 0).length > parents.length;
    if (parents.length === 0) break;
    const children = await levels.below(parents.map(({ id }) => id));
    room -= children.length;
    read.push(children);
  }
  return { nodes: nested(read), has_more };
}
