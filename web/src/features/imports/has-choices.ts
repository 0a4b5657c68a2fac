import type { Permission } from '@tenure/contract';
import { useSession } from '../../api/session.tsx';
import { plainField } from './fields.ts';

const sources: Readonly<Record<string, Permission>> = {
  entity: 'entities.view',
  department: 'departments.view',
  reporting_manager: 'employees.view',
  role: 'rbac.manage',
};

/** Fields with fixed values; the rows of all fields load with the choices only. */
export const fixedFields: readonly string[] = [
  'activity_status',
  'employment_lifecycle',
  'employment_type',
  'gender',
  'marital_status',
];

/** Fields of files with fixed values. */
const fileFields: readonly string[] = ['category', 'visibility'];

/** True if the cells of a field have values to select from. */
export function useHasChoices(): (field: string) => boolean {
  const { can } = useSession();
  return (field) => {
    const source = sources[plainField(field)];
    return source ? can(source) : fixedFields.includes(field) || fileFields.includes(field);
  };
}
