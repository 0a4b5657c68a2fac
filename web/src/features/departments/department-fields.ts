import { departmentFormOrder, departmentRows, type Department, type departments } from '@tenure/contract';
import type { Input } from '../../api/call.ts';
import { textOf, valueOf, type Row } from '../../ui/row-values.ts';
import type { Texts } from '../../ui/versions.ts';

export type DepartmentField = (typeof departmentFormOrder)[number];

/** The fields of a department, in the order of its form and page. */
export const departmentFields = departmentFormOrder;
export const rowOf = (name: DepartmentField): Row => departmentRows[name];

export const newDepartment = (parent: number | undefined): Texts => ({
  ...Object.fromEntries(departmentFields.map((name) => [name, textOf(rowOf(name).begins)])),
  parent_id: parent === undefined ? '' : String(parent),
});

export const departmentTexts = (department: Department): Texts =>
  Object.fromEntries(departmentFields.map((field) => [field, textOf(department[field])]));

/** The changed fields as a request body; an empty choice is null. */
export const departmentBody = (changed: Texts): Partial<Input<typeof departments.update>['body']> =>
  Object.fromEntries(
    Object.entries(changed).map(([name, text]) => [name, valueOf(rowOf(name as DepartmentField), text.trim())]),
  );
