import * as z from 'zod';
import { endpoint } from './endpoint.ts';
import { allowedActions, item, page, stamps } from './envelope.ts';
import { changes, country, integer, isTimeZone, oneOf, pattern, revision, text } from './fields.ts';
import { exportQuery, filters, listQuery } from './lists.ts';
import { tables } from './files.ts';

export const activity = ['active', 'inactive'] as const;

const code = pattern(/^[A-Z0-9]*$/, 10, 2);

const create = z.object({
  name: text(150, 2),
  code: code.nullish(),
  status: oneOf(activity).optional(),
  description: text(2_000).nullish(),
  registration_number: text(50).nullish(),
  tax_number: text(50).nullish(),
  address: text(500).nullish(),
  country: country().nullish(),
  timezone: text(60).refine(isTimeZone, { error: 'The selected :attribute is invalid.' }).optional(),
  probation_months: integer(0, 24).optional(),
  probation_lead_days: integer(1, 180).optional(),
  probation_max_extensions: integer(0, 5).optional(),
});

const optionalText = (max: number) => z.string().max(max).nullable();

export const EntityRow = z.object({
  id: z.int(),
  name: z.string().max(150),
  code: z.string().max(10),
  status: z.enum(activity),
  description: optionalText(2_000),
  registration_number: optionalText(50),
  tax_number: optionalText(50),
  address: optionalText(500),
  country: optionalText(2),
  timezone: z.string().max(60),
  probation_months: z.int(),
  probation_lead_days: z.int(),
  probation_max_extensions: z.int(),
  departments_count: z.int(),
  employees_count: z.int(),
  revision: z.int(),
  ...stamps,
  allowed_actions: allowedActions,
});
export type EntityRow = z.output<typeof EntityRow>;

export const Entity = EntityRow.extend({
  hr_representatives: z.array(
    z.object({ user_id: z.int(), employee_id: z.int().nullable(), name: z.string().max(255) }),
  ),
});
export type Entity = z.output<typeof Entity>;

const query = listQuery(['name', 'code', 'status', 'employees_count', 'created_at'], {
  status: filters.oneOf(activity),
});

export const entities = {
  list: endpoint({
    method: 'GET',
    path: '/entities',
    summary: 'List companies',
    permission: 'entities.view',
    scope: 'scoped',
    query,
    reply: page(EntityRow),
    status: 200,
  }),
  export: endpoint({
    method: 'GET',
    path: '/entities/export',
    summary: 'Export companies',
    permission: 'entities.view',
    scope: 'scoped',
    query: exportQuery(query),
    file: tables,
    budget: 'export',
    status: 200,
  }),
  get: endpoint({
    method: 'GET',
    path: '/entities/:id',
    summary: 'Read a company',
    permission: 'entities.view',
    scope: 'scoped',
    reply: item(Entity),
    status: 200,
  }),
  create: endpoint({
    method: 'POST',
    path: '/entities',
    summary: 'Add a company',
    permission: 'entities.create',
    scope: 'everything',
    body: create,
    reply: item(Entity),
    status: 201,
  }),
  update: endpoint({
    method: 'PUT',
    path: '/entities/:id',
    summary: 'Change a company',
    permission: 'entities.update',
    scope: 'scoped',
    body: changes(create, { ...revision, code: code.optional() }),
    reply: item(Entity),
    status: 200,
  }),
  delete: endpoint({
    method: 'DELETE',
    path: '/entities/:id',
    summary: 'Delete a company nothing refers to',
    permission: 'entities.delete',
    scope: 'everything',
    status: 204,
  }),
};
