import { roles, type RoleRow } from '@tenure/contract';
import { useQuery } from '@tanstack/react-query';
import type { ApiError } from '../api/api-error.ts';
import { call } from '../api/call.ts';

/** Reads the roles of all pages, starting with this one. */
async function readRoles(signal: AbortSignal, page = 1): Promise<RoleRow[]> {
  const { data, meta } = await call(roles.list, { query: { page, per_page: 100, sort_by: 'name' } }, { signal });
  return page < meta.last_page ? [...data, ...(await readRoles(signal, page + 1))] : data;
}

/** All roles, as options. */
export const useAllRoles = () =>
  useQuery<RoleRow[], ApiError>({
    queryKey: [roles.list.path, 'every page'],
    queryFn: ({ signal }) => readRoles(signal),
  });
