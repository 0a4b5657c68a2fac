import type { Department } from '@tenure/contract';

export type DepartmentRow = {
  department: Department;
  level: number;
  position: number;
  siblings: number;
  parent: number | null;
  hasChildren: boolean;
  isOpen: boolean;
  /** Active people in the department and its whole branch. */
  people: number;
};

type Filter = {
  search?: string | undefined;
  status?: Department['status'] | undefined;
  headless?: boolean | undefined;
};

const folded = (text: string) => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();

const matches = ({ name, code, manager, status }: Department, filter: Filter): boolean =>
  (filter.status === undefined || status === filter.status) &&
  (!filter.headless || (status === 'active' && manager === null)) &&
  (filter.search === undefined || folded([name, code, manager?.name].join(' ')).includes(folded(filter.search)));

/** Departments by parent; those whose parent is not visible are at the top. */
export function childrenOf(all: readonly Department[]): Map<number | null, Department[]> {
  const known = new Set(all.map(({ id }) => id));
  return Map.groupBy(all, ({ parent_id }) => (parent_id !== null && known.has(parent_id) ? parent_id : null));
}

/** The ids of a department and its descendants. */
export function withAllBelow(all: readonly Department[], id: number): Set<number> {
  const children = childrenOf(all);
  const found = new Set<number>();
  const add = (one: number) => {
    if (found.has(one)) return;
    found.add(one);
    for (const child of children.get(one) ?? []) add(child.id);
  };
  add(id);
  return found;
}

/**
 * The rows of the tree in order. A filter keeps the matches and their ancestors, expanded. Without a filter, every
 * department is expanded that the user did not collapse.
 */
export function rowsOf(all: readonly Department[], closed: ReadonlySet<number>, filter: Filter = {}): DepartmentRow[] {
  const children = childrenOf(all);
  const isFiltered = filter.search !== undefined || filter.status !== undefined || filter.headless === true;
  const peopleIn = (department: Department): number =>
    (children.get(department.id) ?? []).reduce((sum, child) => sum + peopleIn(child), department.employees_count);
  const isKept = (department: Department): boolean =>
    matches(department, filter) || (children.get(department.id) ?? []).some(isKept);
  const below = (parent: number | null, level: number): DepartmentRow[] => {
    const kept = (children.get(parent) ?? []).filter((one) => !isFiltered || isKept(one));
    return kept.flatMap((department, index) => {
      const lower = below(department.id, level + 1);
      const isOpen = lower.length > 0 && (isFiltered || !closed.has(department.id));
      const position = { level, parent, position: index + 1, siblings: kept.length };
      const row = { department, ...position, hasChildren: lower.length > 0, isOpen, people: peopleIn(department) };
      return isOpen ? [row, ...lower] : [row];
    });
  };
  return below(null, 1);
}

/** Select options in the order of the tree, each with the path of its ancestors. */
export function optionsOf(all: readonly Department[], except: ReadonlySet<number> = new Set()) {
  const names = new Map(all.map(({ id, name }) => [id, name]));
  const above = new Map(all.map(({ id, parent_id }) => [id, parent_id]));
  const path = (id: number): string[] => {
    const parent = above.get(id);
    return [...(parent !== null && parent !== undefined && names.has(parent) ? path(parent) : []), names.get(id) ?? ''];
  };
  return rowsOf(all, new Set())
    .filter(({ department }) => !except.has(department.id))
    .map(({ department: { id } }) => ({ value: String(id), label: path(id).join(' › ') }));
}
