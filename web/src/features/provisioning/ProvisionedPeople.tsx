import { scimConnections } from '@tenure/contract';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { load } from '../../api/query.ts';
import { WaitingTable } from './WaitingTable.tsx';

const route = getRouteApi('/shell/people-waiting');

/** Users of identity providers for whom no account was found, for HR of the companies of their connections. */
export function ProvisionedPeople() {
  const { page = 1, search } = route.useSearch();
  const navigate = route.useNavigate();
  const query = useQuery({
    ...load(scimConnections.allWaiting, { query: { page, search, per_page: 25 } }),
    placeholderData: keepPreviousData,
  });
  return (
    <WaitingTable
      query={query}
      isSearched={search !== undefined}
      showsConnection
      onPage={(next) => void navigate({ search: (old) => ({ ...old, page: next }) })}
    />
  );
}
