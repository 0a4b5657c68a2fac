import { attachmentImportChoices, departments, employeeRows, employees, entities, roles } from '@tenure/contract';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { load } from '../../api/query.ts';
import { useSession } from '../../api/session.tsx';
import { useRoleName } from '../../ui/role-name.ts';
import { useCellText } from './cell-texts.ts';
import { plainField } from './fields.ts';
import { useChoiceNames } from './use-choice-names.ts';

/** A value that a cell can have: the text to write, and its label. */
export type Choice = { value: string; label: string; hint?: string | undefined };

type ChoiceRow = { kind: string; values?: readonly string[] };
const rowOf = (field: string) => (employeeRows as unknown as Record<string, ChoiceRow>)[field];

const most = 30;

/**
 * The choices of a field that match a text, loaded when they are needed. `company` is the company of the row, whose
 * departments are offered first.
 */
export function useChoices(field: string, typed: string, company?: string): Choice[] {
  const named = plainField(field);
  const search = typed.trim() || undefined;
  const asked = { page: 1, per_page: most, search };
  const kept = { placeholderData: keepPreviousData };
  const { can } = useSession();
  const byCompany = named === 'department' && company !== undefined && can('entities.view');
  const wanted = byCompany ? { ...asked, search: company } : asked;
  const companies = useQuery({
    ...load(entities.list, { query: { ...wanted, status: 'active', sort_by: 'name' } }),
    ...kept,
    enabled: named === 'entity' || byCompany,
  });
  const own = byCompany ? companies.data?.data.find((one) => isCalled(one, company)) : undefined;
  const units = useQuery({
    ...load(departments.list, { query: { ...asked, entity_id: own?.id, status: 'active', sort_by: 'name' } }),
    ...kept,
    enabled: named === 'department' && (!byCompany || !companies.isPending),
  });
  const people = useQuery({
    ...load(employees.list, { query: { ...asked, activity_status: 'active' } }),
    ...kept,
    enabled: named === 'reporting_manager',
  });
  const rights = useQuery({ ...load(roles.list, { query: asked }), ...kept, enabled: named === 'role' });
  const fixed = useFixedChoices(named);
  const roleName = useRoleName();
  switch (named) {
    case 'entity':
      return (companies.data?.data ?? []).map(({ name, code }) => ({ value: name, label: name, hint: code }));
    case 'department':
      return departmentsOf(units.data?.data ?? [], own === undefined);
    case 'reporting_manager':
      return (people.data?.data ?? []).map(({ employee_number, display_name }) => ({
        value: employee_number,
        label: display_name,
        hint: employee_number,
      }));
    case 'role':
      return (rights.data?.data ?? []).map(({ name }) => ({ value: name, label: roleName(name) }));
    default:
      return fixed.filter(({ label, value }) => contains(label, typed) || contains(value, typed));
  }
}

const contains = (text: string, part: string) => text.toLowerCase().includes(part.trim().toLowerCase());

type Unit = { name: string; entity: { name: string } };

/** Departments without duplicate names; with their companies if there are several. */
function departmentsOf(found: readonly Unit[], ofSeveral: boolean): Choice[] {
  return [...Map.groupBy(found, ({ name }) => name)].map(([name, all]) => ({
    value: name,
    label: name,
    hint: ofSeveral ? all.map(({ entity }) => entity.name).join(', ') : undefined,
  }));
}

/** True if a text of a file names a company. */
const isCalled = ({ id, name, code }: { id: number; name: string; code: string }, text: string) =>
  [String(id), name, code].some((one) => one.toLowerCase() === text.trim().toLowerCase());

/** The choices of a field whose values are fixed. A cell has their names, which the service reads in each language. */
function useFixedChoices(field: string): Choice[] {
  const names = useChoiceNames();
  const ofFile = useCellText();
  if (field === 'category' || field === 'visibility')
    return attachmentImportChoices[field].map((value) => ({ value, label: ofFile(field, value) ?? value }));
  const { values = [] } = rowOf(field) ?? {};
  return values.map((value) => {
    const name = names(field, value) ?? value.replaceAll('_', ' ');
    return { value: name, label: name };
  });
}
