import type { OrgNode } from '@tenure/contract';

/** A node of the chart. Companies only group their departments. */
export type ChartItem = {
  key: string;
  kind: 'employee' | 'department' | 'entity';
  id: number;
  name: string;
  /** The job title of a person, or the company of a department. */
  line: string | null;
  /** The department of a person. */
  group: { id: number; name: string } | null;
  /** The URL of the person's picture. */
  picture: string | null;
  /** The direct reports of a person, or the child departments of a department or company. */
  below: number;
  /** The people directly in a department. */
  people: number | null;
};

export type Branch = ChartItem & {
  parent: Branch | null;
  depth: number;
  /** The position among the siblings, from 1, and their number. */
  position: number;
  siblings: number;
  canOpen: boolean;
  isOpen: boolean;
  /** Expanded, but the children are loading or failed to load. */
  waits: 'loading' | 'failed' | null;
  /** Some children are not shown. */
  hasMore: boolean;
  children: Branch[];
};

/** The children of a node, as the service returns them. */
export type Family = { nodes: readonly OrgNode[]; people?: readonly OrgNode[] | null; has_more: boolean };

type Growing = {
  /** The children loaded so far, by parent key; null if the request failed. */
  families: ReadonlyMap<string, Family | null>;
  isOpen: (key: string) => boolean;
};

export const keyOf = (kind: ChartItem['kind'], id: number): string => `${kind}-${id}`;

const itemOf = (node: OrgNode): ChartItem => ({
  key: keyOf(node.type, node.id),
  kind: node.type,
  id: node.id,
  name: node.name,
  line: node.type === 'employee' ? node.job_title : (node.entity?.name ?? null),
  group: node.department,
  picture: node.profile_picture_url,
  below: node.children_count,
  people: node.people_count,
});

type Seed = { item: ChartItem; family: Family | null | undefined };

/** Top departments grouped by company, in the order of the service. */
function byCompany(nodes: readonly OrgNode[]): Seed[] {
  const companies = Map.groupBy(nodes, (node) => node.entity?.id ?? 0);
  return [...companies].map(([id, members]) => {
    const name = members[0]?.entity?.name ?? '';
    const rest = { line: null, group: null, picture: null, people: null };
    const item: ChartItem = { key: keyOf('entity', id), kind: 'entity', id, name, below: members.length, ...rest };
    return { item, family: { nodes: members, has_more: false } };
  });
}

/**
 * The chart as a forest: expanded nodes have their children, others none. A node that is its own ancestor is left out,
 * so that a cycle ends where it started.
 */
export function growForest(top: Family, grouped: boolean, { families, isOpen }: Growing): Branch[] {
  const seen = new Set<string>();
  const seedOf = (node: OrgNode): Seed => {
    const item = itemOf(node);
    const embedded = node.children.length > 0 && node.people_count === null;
    return { item, family: embedded ? { nodes: node.children, has_more: false } : families.get(item.key) };
  };
  const branchOf = ({ item, family }: Seed, parent: Branch | null, position: number, siblings: number): Branch => {
    const canOpen = item.below + (item.people ?? 0) > 0;
    const open = canOpen && isOpen(item.key);
    const depth = parent ? parent.depth + 1 : 0;
    const waits = !open || family ? null : family === null ? 'failed' : 'loading';
    const state = { parent, depth, position, siblings, canOpen, isOpen: open, waits } as const;
    const branch: Branch = { ...item, ...state, hasMore: open && (family?.has_more ?? false), children: [] };
    if (open && family) branch.children = grow([...family.nodes, ...(family.people ?? [])].map(seedOf), branch);
    return branch;
  };
  const grow = (seeds: readonly Seed[], parent: Branch | null): Branch[] => {
    const fresh = seeds.filter(({ item }) => !seen.has(item.key) && seen.add(item.key));
    return fresh.map((seed, index) => branchOf(seed, parent, index + 1, fresh.length));
  };
  return grow(grouped ? byCompany(top.nodes) : top.nodes.map(seedOf), null);
}

/** All visible nodes from the top, each before its children. */
export function rowsOf(forest: readonly Branch[]): Branch[] {
  const rows: Branch[] = [];
  const add = (branch: Branch) => {
    rows.push(branch);
    branch.children.forEach(add);
  };
  forest.forEach(add);
  return rows;
}
