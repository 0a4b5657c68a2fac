import { savedViews, type SavedView } from '@tenure/contract';
import { useQuery } from '@tanstack/react-query';
import { load } from '../../../api/query.ts';
import { employeesSearch, type EmployeesSearch } from '../search.ts';

/** The filters and order of a list, without the page and other positions in it. */
export const contentOf = (search: EmployeesSearch): Record<string, string> => {
  const { page: _page, view: _view, group: _group, as_of: _day, ...query } = search;
  return Object.fromEntries(Object.entries(query).map(([name, value]) => [name, String(value)]));
};

/** The search parameters of a saved view; unknown ones are dropped. */
export const searchOf = ({ id, query }: SavedView): EmployeesSearch => ({ ...employeesSearch(query), view: id });

const sorted = (content: Record<string, string>) =>
  JSON.stringify(Object.entries(content).toSorted(([a], [b]) => a.localeCompare(b)));

/** The saved views of the directory, the user's own ones first. */
export function useViews(search: EmployeesSearch) {
  const query = useQuery({
    ...load(savedViews.list, { query: { resource: 'employees', per_page: 100 } }),
    staleTime: 60_000,
  });
  const views = query.data?.data ?? [];
  const current = views.find(({ id }) => id === search.view);
  return {
    isKnown: query.isSuccess || query.isError,
    own: views.filter(({ is_own }) => is_own),
    shared: views.filter(({ is_own }) => !is_own),
    current,
    first: views.find(({ is_own, is_default }) => is_own && is_default),
    /** True if the filters differ from those of the view. */
    isChanged: current !== undefined && sorted(contentOf(searchOf(current))) !== sorted(contentOf(search)),
  };
}
export type Views = ReturnType<typeof useViews>;
