import { kpiCycles, type CycleDepartment } from '@tenure/contract';
import { queryOptions } from '@tanstack/react-query';
import { fewPages } from '../../api/all-pages.ts';
import type { ApiError } from '../../api/api-error.ts';
import { call } from '../../api/call.ts';

/** All departments of a cycle that the user may see. */
export const allCycleDepartments = (cycleId: number) =>
  queryOptions<CycleDepartment[], ApiError>({
    queryKey: [kpiCycles.departments.path, 'every', cycleId],
    queryFn: ({ signal }) => {
      const [params, query] = [{ id: cycleId }, { per_page: 100, sort_by: 'department_name' }];
      return fewPages((page) => call(kpiCycles.departments, { params, query: { ...query, page } }, { signal }));
    },
  });
