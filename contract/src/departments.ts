import * as z from 'zod';
import { endpoint } from './endpoint.ts';
import { departmentInput, departmentRows } from './department-rows.ts';
import { allowedActions, item, page, stamps } from './envelope.ts';
import { inOrder, namesWhere, outputOf } from './field-kit.ts';
import { boolean, changes, id, revision } from './fields.ts';
import { filtersOf, listQuery, readableExportQuery } from './lists.ts';
import { tables } from './files.ts';
import { messageField } from './message-field.ts';

const create = z.object(departmentInput);

export const Department = z.object({
  id: z.int(),
  ...outputOf(departmentRows, 'card'),
  revision: z.int(),
  ...stamps,
  allowed_actions: allowedActions,
});
export type Department = z.output<typeof Department>;

const warnings = { warnings: z.array(messageField()).optional() };
const reply = item(Department).extend(warnings);
const assignment = z.object({ employee_id: id(), ...revision });

const sorts = inOrder(
  [...namesWhere(departmentRows, 'sort'), 'entity_name', 'created_at'],
  ['name', 'code', 'entity_id', 'entity_name'],
);
const query = listQuery(sorts, filtersOf(departmentRows));

export const departments = {
  list: endpoint({
    method: 'GET',
    path: '/departments',
    summary: 'List departments',
    permission: 'departments.view',
    scope: 'scoped',
    query,
    reply: page(Department),
    status: 200,
  }),
  export: endpoint({
    method: 'GET',
    path: '/departments/export',
    summary: 'Export departments',
    permission: 'departments.view',
    scope: 'scoped',
    query: readableExportQuery(query),
    file: tables,
    budget: 'export',
    status: 200,
  }),
  get: endpoint({
    method: 'GET',
    path: '/departments/:id',
    summary: 'Read a department',
    permission: 'departments.view',
    scope: 'scoped',
    reply: item(Department),
    status: 200,
  }),
  create: endpoint({
    method: 'POST',
    path: '/departments',
    summary: 'Add a department',
    permission: 'departments.create',
    scope: 'scoped',
    body: create,
    reply,
    status: 201,
  }),
  update: endpoint({
    method: 'PUT',
    path: '/departments/:id',
    summary: 'Change a department',
    permission: 'departments.update',
    scope: 'scoped',
    body: changes(create, { move_employees: boolean().optional(), ...revision }),
    reply,
    status: 200,
  }),
  delete: endpoint({
    method: 'DELETE',
    path: '/departments/:id',
    summary: 'Delete a department nothing refers to',
    permission: 'departments.delete',
    scope: 'scoped',
    status: 204,
  }),
  assignManager: endpoint({
    method: 'PUT',
    path: '/departments/:id/manager',
    summary: 'Assign the manager of a department',
    permission: 'departments.assign_managers',
    scope: 'scoped',
    body: assignment,
    reply,
    status: 200,
  }),
  clearManager: endpoint({
    method: 'DELETE',
    path: '/departments/:id/manager',
    summary: 'Leave a department without manager',
    permission: 'departments.assign_managers',
    scope: 'scoped',
    status: 204,
  }),
  assignTeamLead: endpoint({
    method: 'PUT',
    path: '/departments/:id/team-lead',
    summary: 'Assign the team lead of a department',
    permission: 'departments.assign_team_leads',
    scope: 'scoped',
    body: assignment,
    reply,
    status: 200,
  }),
  clearTeamLead: endpoint({
    method: 'DELETE',
    path: '/departments/:id/team-lead',
    summary: 'Leave a department without team lead',
    permission: 'departments.assign_team_leads',
    scope: 'scoped',
    status: 204,
  }),
};
