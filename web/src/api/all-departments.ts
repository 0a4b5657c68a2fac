import { departments, type Department } from '@tenure/contract';
import { queryOptions } from '@tanstack/react-query';
import type { ApiError } from './api-error.ts';
import { call } from './call.ts';

const perPage = 100;

/** All departments of a company, or all that the user may see: a tree cannot be paged. */
export const allDepartments = (entityId: number | undefined) =>
  queryOptions<Department[], ApiError>({
    queryKey: [departments.list.path, 'every', entityId],
    queryFn: async ({ signal }) => {
      const page = (number: number) => {
        const query = {
          page: number,
          per_page: perPage,
          sort_by: 'name',
          ...(entityId !== undefined && { entity_id: entityId }),
        };
        return call(departments.list, { query }, { signal });
      };
      const first = await page(1);
      const others = Array.from({ length: first.meta.last_page - 1 }, (_, index) => page(index + 2));
      return [first, ...(await Promise.all(others))].flatMap(({ data }) => data);
    },
  });
