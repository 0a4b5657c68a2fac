import type { OrgNode } from '@tenure/contract';

/** What stands in the chart. Companies are there to hold their departments together. */
export type ChartItem = {
  key: string;
  kind: 'employee' | 'department' | 'entity';
  id: number;
  name: string;
  /** The job title of a person, the company of a department. */
  line: string | null;
  /** The department of a person. */
  group: { id: number; name: string } | null;
  /** Where a picture of the person is. */
  picture: string | null;
  /** Direct reports of a person, departments right below a department or company. */
  below: number;
  /** People right in a department. */
  people: number | null;
};

export type Branch = ChartItem & {
  parent: Branch | null;
  depth: number;
  /** Place among its siblings, from 1, and how many those are. */
  place: number;
  siblings: number;
  canOpen: boolean;
  isOpen: boolean;
  /** Open, and what is below is not there yet or could not be read. */
  waits: 'loading' | 'failed' | null;
  /** More stand below than are shown. */
  hasMore: boolean;
  children: Branch[];
};

/** What stands right below one node, as the service answers. */
export type Family = { nodes: readonly OrgNode[]; people?: readonly OrgNode[] | null; has_more: boolean };

type Growing = {
  /** Families read so far by the key of the node they stand below; null for one that could not be read. */
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

/** Top departments below their companies, companies in the order of the service. */
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
 * The chart as a forest: what is open has its children, everything else none. Whoever stands in it already is left out
 * a second time, so a circle ends where it began.
 */
export function growForest(top: Family, grouped: boolean, { families, isOpen }: Growing): Branch[] {
  const seen = new Set<string>();
  const seedOf = (node: OrgNode): Seed => {
    const item = itemOf(node);
    const embedded = node.children.length > 0 && node.people_count === null;
    return { item, family: embedded ? { nodes: node.children, has_more: false } : families.get(item.key) };
  };
  const branchOf = ({ item, family }: Seed, parent: Branch | null, place: number, siblings: number): Branch => {
    const canOpen = item.below + (item.people ?? 0) > 0;
    const open = canOpen && isOpen(item.key);
    const depth = parent ? parent.depth + 1 : 0;
    const waits = !open || family ? null : family === null ? 'failed' : 'loading';
    const standing = { parent, depth, place, siblings, canOpen, isOpen: open, waits } as const;
    const branch: Branch = { ...item, ...standing, hasMore: open && (family?.has_more ?? false), children: [] };
    if (open && family) branch.children = grow([...family.nodes, ...(family.people ?? [])].map(seedOf), branch);
    return branch;
  };
  const grow = (seeds: readonly Seed[], parent: Branch | null): Branch[] => {
    const fresh = seeds.filter(({ item }) => !seen.has(item.key) && seen.add(item.key));
    return fresh.map((seed, index) => branchOf(seed, parent, index + 1, fresh.length));
  };
  return grow(grouped ? byCompany(top.nodes) : top.nodes.map(seedOf), null);
}

/** Every branch that shows, from the top, each before what stands below it. */
export function rowsOf(forest: readonly Branch[]): Branch[] {
  const rows: Branch[] = [];
  const add = (branch: Branch) => {
    rows.push(branch);
    branch.children.forEach(add);
  };
  forest.forEach(add);
  return rows;
}
