import * as z from 'zod';
import { activity } from './entity-rows.ts';
import { PersonRef, Ref } from './envelope.ts';
import { field, inOrder, inputOf, namesWhere } from './field-kit.ts';

/** Every field of a department. */
export const departmentRows = {
  entity_id: field.reference({ to: 'company', required: true, sort: true, filter: true }),
  entity: field.computed(Ref, { export: true }),
  name: field.text({ max: 150, min: 2, required: true, export: true, sort: true, search: true, section: 'about' }),
  code: field.text({ max: 20, export: true, sort: true, search: true, section: 'about' }),
  parent_id: field.reference({ to: 'department', filter: true, section: 'about' }),
  parent: field.computed(Ref.nullable(), { export: true }),
  status: field.choice(activity, { filledIn: true, begins: 'active', export: true, sort: true, filter: true }),
  manager_id: field.reference({ to: 'person', filter: true, section: 'about' }),
  manager: field.computed(PersonRef.nullable(), { export: true }),
  team_lead_id: field.reference({ to: 'person', filter: true, section: 'about' }),
  team_lead: field.computed(PersonRef.nullable(), { export: true }),
  employees_count: field.computed(z.int(), { export: true, sort: true }),
  children_count: field.computed(z.int(), {}),
};

/** What a form may send. */
export const departmentInput = inputOf(departmentRows);

/** The fields of the form. */
export const departmentFormOrder = namesWhere(departmentRows, 'section');

/** Fields with columns in an export; fields not listed here follow in row order. */
export const departmentExportOrder = inOrder(namesWhere(departmentRows, 'export'), [
  'entity',
  'name',
  'code',
  'parent',
  'manager',
  'team_lead',
]);
