import { dashboard, directory, employees, entities, home, profile } from '@tenure/contract';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { load } from '../../api/query.ts';
import { useSession } from '../../api/session.tsx';
import { useOpenTasks } from './OpenTasks.tsx';
import type { HomeSearch } from './search.ts';

/** The most people of a team that the home page shows. */
const shownTeam = 12;

/** All data of the page. */
export function useHome(search: HomeSearch) {
  const { user, can, hasDirectory, seesOthers } = useSession();
  const id = user?.employee_id ?? 0;
  const [isPerson, isAlone] = [id !== 0, hasDirectory && !seesOthers];
  const reports = { reporting_manager_id: id, activity_status: 'active' as const, per_page: shownTeam };
  return {
    figures: useQuery({ ...load(dashboard.get, { query: search }), placeholderData: keepPreviousData }),
    tasks: useOpenTasks(),
    news: useQuery(load(home.news, {})),
    own: useQuery(load(profile.get, {})),
    /** The user's direct reports that the user may see. */
    team: useQuery({ ...load(employees.list, { query: reports }), enabled: isPerson && seesOthers }),
    branch: useQuery({ ...load(directory.get, { params: { id } }), enabled: isPerson && isAlone, retry: false }),
    /** The number of companies, to detect an empty installation. */
    companies: useQuery({ ...load(entities.list, { query: { per_page: 1 } }), enabled: can('entities.view') }),
  };
}

export type Home = ReturnType<typeof useHome>;
