import {
  departmentFormOrder,
  departmentRows,
  type Department,
  type departments,
  type FieldRow,
} from '@tenure/contract';
import type { Input } from '../../api/call.ts';
import type { Texts } from '../../ui/versions.ts';

export type DepartmentField = (typeof departmentFormOrder)[number];
type Row = FieldRow & { max?: number; to?: 'company' | 'department' | 'person' };

/** The fields of a department, in the order of its form and page. */
export const departmentFields = departmentFormOrder;
export const rowOf = (name: DepartmentField): Row => departmentRows[name];

export const newDepartment = (parent: number | undefined): Texts => ({
  ...Object.fromEntries(departmentFields.map((name) => [name, ''])),
  parent_id: parent === undefined ? '' : String(parent),
});

export const departmentTexts = (department: Department): Texts =>
  Object.fromEntries(departmentFields.map((field) => [field, String(department[field] ?? '')]));

function valueOf(name: DepartmentField, text: string): string | number | null {
  const { kind, required } = rowOf(name);
  if (text === '' && !required) return null;
  return kind === 'reference' ? Number(text) : text;
}

/** The changed fields as a request body; an empty choice is null. */
export const departmentBody = (changed: Texts): Partial<Input<typeof departments.update>['body']> =>
  Object.fromEntries(
    Object.entries(changed).map(([name, text]) => [name, valueOf(name as DepartmentField, text.trim())]),
  );
