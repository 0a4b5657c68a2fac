import type { Department, departments } from '@tenure/contract';
import type { Input } from '../../api/call.ts';
import type { Texts } from '../../ui/versions.ts';

export const departmentFields = ['name', 'code', 'parent_id', 'manager_id', 'team_lead_id'] as const;
export type DepartmentField = (typeof departmentFields)[number];

export const newDepartment = (parent: number | undefined): Texts => ({
  name: '',
  code: '',
  parent_id: parent === undefined ? '' : String(parent),
  manager_id: '',
  team_lead_id: '',
});

export const departmentTexts = (department: Department): Texts =>
  Object.fromEntries(departmentFields.map((field) => [field, String(department[field] ?? '')]));

/** The changed fields as the service takes them; nothing chosen is null. */
export function departmentBody(changed: Texts): Partial<Input<typeof departments.update>['body']> {
  const valueOf = (field: string, text: string) => {
    if (field === 'name') return text;
    if (text === '') return null;
    return field.endsWith('_id') ? Number(text) : text;
  };
  return Object.fromEntries(Object.entries(changed).map(([field, text]) => [field, valueOf(field, text.trim())]));
}
