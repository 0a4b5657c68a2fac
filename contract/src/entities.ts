import * as z from 'zod';
import { endpoint } from './endpoint.ts';
import { allowedActions, item, page, stamps } from './envelope.ts';
import { entityRows } from './entity-rows.ts';
import { changeOf, inputOf, namesWhere, outputOf } from './field-kit.ts';
import { changes, revision } from './fields.ts';
import { filters, filtersOf, listQuery, readableExportQuery } from './lists.ts';
import { tables } from './files.ts';

const create = z.object(inputOf(entityRows));

export const EntityRow = z.object({
  id: z.int(),
  ...outputOf(entityRows, 'card'),
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

const query = listQuery([...namesWhere(entityRows, 'sort'), 'created_at'], {
  ...filtersOf(entityRows),
  id: filters.ids(),
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
    query: readableExportQuery(query),
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
    body: changes(create, { ...revision, ...changeOf(entityRows) }),
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
