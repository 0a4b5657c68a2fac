import { departments, type Department } from '@tenure/contract';
import { queryOptions } from '@tanstack/react-query';
import { fewPages } from './all-pages.ts';
import type { ApiError } from './api-error.ts';
import { call } from './call.ts';

/** All departments of a company, or all that the user may see: a tree cannot be paged. */
export const allDepartments = (entityId: number | undefined) =>
  queryOptions<Department[], ApiError>({
    queryKey: [departments.list.path, 'every', entityId],
    queryFn: ({ signal }) => {
      const query = { per_page: 100, sort_by: 'name', ...(entityId !== undefined && { entity_id: entityId }) };
      return fewPages((page) => call(departments.list, { query: { ...query, page } }, { signal }));
    },
  });
