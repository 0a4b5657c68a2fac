import { employees, entities, kpiCycles, roles, type Endpoint, type Permission } from '@tenure/contract';
import { useQuery } from '@tanstack/react-query';
import type { Input } from '../../api/call.ts';
import { load } from '../../api/query.ts';
import { useSession } from '../../api/session.tsx';
import { paths } from '../../paths.ts';

export type GuideStep = {
  key: 'company' | 'people' | 'roles' | 'cycle';
  to: (typeof paths)[keyof typeof paths];
  isDone: boolean;
};

/** Roles that every installation has anyway; a holder of any other role was assigned it by a user. */
const given = new Set(['Admin', 'Employee']);

/**
 * The steps that the user may take, and whether each is done according to the records; undefined if that is unknown for
 * one of them. A step is omitted if the user may not see its records.
 */
export function useGuideSteps(): { steps: GuideStep[] | undefined; isPending: boolean } {
  const { can } = useSession();
  const needs: Record<GuideStep['key'], readonly Permission[]> = {
    company: ['entities.create', 'entities.view'],
    people: ['employees.create', 'employees.view'],
    roles: ['employees.assign_roles'],
    cycle: ['kpi-cycle.create', 'kpi-cycle.view'],
  };
  const may = (key: GuideStep['key']) => needs[key].every(can);
  const one = { query: { per_page: 1 } };
  const companies = useTotal(entities.list, one, may('company'));
  const people = useTotal(employees.list, one, may('people'));
  const cycles = useTotal(kpiCycles.list, one, may('cycle'));
  const held = useQuery({ ...load(roles.list, { query: { per_page: 100 } }), enabled: may('roles') });
  const hasRoles = held.data?.data.some(({ name, users_count }) => users_count > 0 && !given.has(name));
  const steps = [
    { key: 'company', to: companies.total === 0 ? paths.firstCompany : paths.departments, isDone: isSome(companies) },
    { key: 'people', to: paths.newImport, isDone: isSome(people) },
    { key: 'roles', to: paths.employees, isDone: hasRoles },
    { key: 'cycle', to: paths.newKpiCycle, isDone: isSome(cycles) },
  ] as const;
  const open = steps.filter(({ key }) => may(key));
  return {
    steps: open.every((step): step is typeof step & GuideStep => step.isDone !== undefined) ? [...open] : undefined,
    isPending: [companies, people, cycles, held].some(({ isLoading }) => isLoading),
  };
}

type Total = { total: number | undefined; isLoading: boolean };

const isSome = ({ total }: Total) => (total === undefined ? undefined : total > 0);

function useTotal<E extends Endpoint>(endpoint: E, input: Input<E>, enabled: boolean): Total {
  const { data, isLoading } = useQuery({ ...load(endpoint, input), enabled });
  return { total: (data as { meta: { total: number } } | undefined)?.meta.total, isLoading };
}
