import { dashboard, directory, employees, entities, profile } from '@tenure/contract';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { load } from '../../api/query.ts';
import { useSession } from '../../api/session.tsx';
import type { HomeSearch } from './search.ts';

/** The most people of a team that the home page shows. */
export const shownTeam = 12;

/** Who reports to the user, as far as the user may see it. */
export const teamQuery = (id: number) =>
  load(employees.list, { query: { reporting_manager_id: id, activity_status: 'active', per_page: shownTeam } });

/** The number of companies, to tell an empty installation. */
export const companiesQuery = load(entities.list, { query: { per_page: 1 } });

export const branchQuery = (id: number) => load(directory.get, { params: { id } });

/**
 * All that the page below the tasks is made of, read together: it appears in one step, so that nothing moves once it is
 * shown.
 */
export function useHome(search: HomeSearch) {
  const { user, can, hasDirectory, seesOthers } = useSession();
  const own = user?.employee_id ?? null;
  const figures = useQuery({ ...load(dashboard.get, { query: search }), placeholderData: keepPreviousData });
  const others = [
    useQuery({ ...load(profile.get, {}), enabled: own !== null }),
    useQuery({ ...teamQuery(own ?? 0), enabled: own !== null && seesOthers }),
    useQuery({ ...branchQuery(own ?? 0), enabled: own !== null && hasDirectory && !seesOthers, retry: false }),
    useQuery({ ...companiesQuery, enabled: can('entities.view') }),
  ];
  return { figures, isReady: !figures.isPending && others.every(({ isLoading }) => !isLoading) };
}
