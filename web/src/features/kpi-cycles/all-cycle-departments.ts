import { kpiCycles, type CycleDepartment } from '@tenure/contract';
import { queryOptions } from '@tanstack/react-query';
import type { ApiError } from '../../api/api-error.ts';
import { call } from '../../api/call.ts';

const perPage = 100;

/** All departments of a cycle that the user may see. */
export const allCycleDepartments = (cycleId: number) =>
  queryOptions<CycleDepartment[], ApiError>({
    queryKey: [kpiCycles.departments.path, 'every', cycleId],
    queryFn: async ({ signal }) => {
      const page = (number: number) =>
        call(
          kpiCycles.departments,
          { params: { id: cycleId }, query: { page: number, per_page: perPage, sort_by: 'department_name' } },
          { signal },
        );
      const first = await page(1);
      const others = Array.from({ length: first.meta.last_page - 1 }, (_, index) => page(index + 2));
      return [first, ...(await Promise.all(others))].flatMap(({ data }) => data);
    },
  });
