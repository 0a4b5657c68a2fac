import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useSession } from '../api/session.tsx';
import { paths } from '../paths.ts';
import type { LinkWrapper } from '../ui/charts/Chart.tsx';
import type { EmployeesSearch } from '../features/employees/search.ts';
import type { EvaluationsSearch } from '../features/kpi-evaluations/search.ts';
import type { ProbationSearch } from '../features/probation-reviews/search.ts';

/** Links from figures to their lists, with the same filters; undefined if the user may not open a list. */
export function useLinks({ entity_id }: { entity_id?: number | undefined }) {
  const { can } = useSession();
  const company = entity_id === undefined ? {} : { entity_id };
  return {
    people: (search: EmployeesSearch): LinkWrapper | undefined =>
      can('employees.view')
        ? (text: ReactNode) => (
            <Link to={paths.employees} search={{ ...company, ...search }}>
              {text}
            </Link>
          )
        : undefined,
    evaluations: (search: EvaluationsSearch): LinkWrapper | undefined =>
      can('kpi-evaluation.view')
        ? (text: ReactNode) => (
            <Link to={paths.kpiEvaluations} search={{ tab: 'all', ...company, ...search }}>
              {text}
            </Link>
          )
        : undefined,
    outcomes: (search: ProbationSearch): LinkWrapper | undefined =>
      can('probation-review.view')
        ? (text: ReactNode) => (
            <Link to={paths.probation} search={{ tab: 'all', status: 'approved', ...company, ...search }}>
              {text}
            </Link>
          )
        : undefined,
    departments: (): LinkWrapper | undefined =>
      can('departments.view')
        ? (text: ReactNode) => (
            <Link to={paths.departments} search={{ ...company, headless: true }}>
              {text}
            </Link>
          )
        : undefined,
  };
}
export type Links = ReturnType<typeof useLinks>;
