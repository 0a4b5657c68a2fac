import { employees, type EmployeeRow } from '@tenure/contract';
import { useQuery } from '@tanstack/react-query';
import { useRouterState } from '@tanstack/react-router';
import { load } from '../../../api/query.ts';
import type { EmployeesSearch } from '../search.ts';

declare module '@tanstack/history' {
  interface HistoryState {
    /** The list that the record was opened from. */
    directory?: EmployeesSearch;
  }
}

export type Neighbour = { id: number; name: string; directory: EmployeesSearch };
type Neighbours = {
  directory: EmployeesSearch | undefined;
  position: number | undefined;
  total: number | undefined;
  previous: Neighbour | undefined;
  next: Neighbour | undefined;
};

const usePage = (search: EmployeesSearch | undefined, page: number, enabled: boolean) =>
  useQuery({
    ...load(employees.list, { query: { ...search, ...(page > 1 && { page }) } }),
    enabled: search !== undefined && enabled && page > 0,
  });

/** The previous and next person in the list that the record was opened from. */
export function useNeighbours(id: number): Neighbours {
  const directory = useRouterState({ select: ({ location }) => location.state.directory });
  const { page = 1, ...search } = directory ?? {};
  const here = usePage(directory && search, page, true);
  const rows = here.data?.data ?? [];
  const at = rows.findIndex((row) => row.id === id);
  const last = here.data?.meta.last_page ?? 1;
  const before = usePage(directory && search, page - 1, at === 0);
  const after = usePage(directory && search, page + 1, at === rows.length - 1 && at >= 0 && page < last);
  const neighbour = (row: EmployeeRow | undefined, of: number): Neighbour | undefined =>
    row && { id: row.id, name: row.display_name, directory: { ...search, ...(of > 1 && { page: of }) } };
  if (!directory || at < 0)
    return { directory, position: undefined, total: undefined, previous: undefined, next: undefined };
  return {
    directory,
    position: (here.data?.meta.from ?? 1) + at,
    total: here.data?.meta.total,
    previous: neighbour(rows[at - 1], page) ?? neighbour(before.data?.data.at(-1), page - 1),
    next: neighbour(rows[at + 1], page) ?? neighbour(after.data?.data[0], page + 1),
  };
}
