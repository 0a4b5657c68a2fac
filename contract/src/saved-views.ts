import * as z from 'zod';
import { auditLog } from './audit-log.ts';
import { departments } from './departments.ts';
import { employees } from './employees.ts';
import { endpoint } from './endpoint.ts';
import { entities } from './entities.ts';
import { ActorRef, allowedActions, item, page, stamps } from './envelope.ts';
import { boolean, changes, oneOf, revision, text } from './fields.ts';
import { employeeImports } from './employee-imports.ts';
import { filters, listQuery } from './lists.ts';
import { columnNames, densities } from './preferences.ts';
import { roles } from './roles.ts';

/** The lists for which views can be saved: the query of each list, and the permission to call it. */
export const savedViewLists = {
  employees: employees.list,
  departments: departments.list,
  entities: entities.list,
  imports: employeeImports.list,
  roles: roles.list,
  'audit-log': auditLog.list,
} as const;
export const savedViewResources = Object.keys(savedViewLists) as [SavedViewResource, ...SavedViewResource[]];
export type SavedViewResource = keyof typeof savedViewLists;

/** The most views per account. */
export const maxSavedViews = 100;

const name = text(60, 1);
const value = z.union([text(2_000), z.number(), z.boolean()]).nullable();

/** What a user defines; the query has the list's parameters without `page`, in the form of a URL. */
const create = z.object({
  name,
  resource: oneOf(savedViewResources),
  query: z.record(z.string().max(60), value).optional(),
  columns: columnNames().nullish(),
  density: oneOf(densities).nullish(),
  is_shared: boolean().optional(),
  is_default: boolean().optional(),
});
const { resource, ...changeable } = create.shape;

export const SavedView = z.object({
  id: z.int(),
  name: z.string().max(60),
  resource: z.enum(savedViewResources),
  /** The list's parameters, as far as this reader may use them. */
  query: z.record(z.string().max(60), z.string().max(2_000)),
  /** The view's other parameters, which this reader may not use. */
  left_out: z.array(z.string().max(60)),
  columns: z.array(z.string().max(40)).nullable(),
  density: z.enum(densities).nullable(),
  is_shared: z.boolean(),
  /** The view with which the list opens for its owner. */
  is_default: z.boolean(),
  is_own: z.boolean(),
  /** The name is null for an account without a person. */
  owner: ActorRef.extend({ name: ActorRef.shape.name.nullable() }),
  revision: z.int(),
  ...stamps,
  allowed_actions: allowedActions,
});
export type SavedView = z.output<typeof SavedView>;

const access = { permission: 'signed in', scope: 'own' } as const;
const path = '/saved-views/:id';
const reply = item(SavedView);

export const savedViews = {
  list: endpoint({
    ...access,
    method: 'GET',
    path: '/saved-views',
    summary: 'List the own saved views and those others share',
    query: listQuery(['name', 'created_at', 'updated_at'], {
      resource: filters.oneOf(savedViewResources),
      is_shared: filters.flag(),
      own: filters.flag(),
    }),
    reply: page(SavedView),
    status: 200,
  }),
  get: endpoint({ ...access, method: 'GET', path, summary: 'Read a saved view', reply, status: 200 }),
  create: endpoint({
    ...access,
    method: 'POST',
    path: '/saved-views',
    summary: 'Save a view of a list',
    body: create,
    reply,
    status: 201,
  }),
  update: endpoint({
    ...access,
    method: 'PUT',
    path,
    summary: 'Change an own saved view',
    body: changes(z.object(changeable), revision),
    reply,
    status: 200,
  }),
  delete: endpoint({ ...access, method: 'DELETE', path, summary: 'Delete an own saved view', status: 204 }),
};
