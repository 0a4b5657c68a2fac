import * as z from 'zod';
import { endpoint, forPeople } from './endpoint.ts';
import { allowedActions, item, page, Ref, stamps } from './envelope.ts';
import { id, text } from './fields.ts';
import { dateFormats, importMaps } from './imports.ts';
import { filters, listQuery } from './lists.ts';

/** How files from one source are read, stored under a name for a company. */
export const ImportProfile = z.object({
  id: z.int(),
  entity_id: z.int(),
  entity: Ref,
  name: z.string().max(120),
  ...importMaps,
  date_format: z.enum(dateFormats),
  revision: z.int(),
  ...stamps,
  allowed_actions: allowedActions,
});
export type ImportProfile = z.output<typeof ImportProfile>;

const access = { permission: 'employees.import', scope: 'scoped' } as const;
const path = '/employees/import-profiles/:id';
const reply = item(ImportProfile);

export const importProfiles = forPeople({
  list: endpoint({
    ...access,
    method: 'GET',
    path: '/employees/import-profiles',
    summary: 'List the import profiles',
    query: listQuery(['name', 'created_at'], { entity_id: filters.ids() }),
    reply: page(ImportProfile),
    status: 200,
  }),
  get: endpoint({ ...access, method: 'GET', path, summary: 'Read an import profile', reply, status: 200 }),
  create: endpoint({
    ...access,
    method: 'POST',
    path: '/employees/imports/:id/profile',
    summary: 'Keep how the file of an import is read as a profile of a company',
    body: z.object({ entity_id: id(), name: text(120, 2) }),
    reply,
    status: 201,
  }),
  delete: endpoint({ ...access, method: 'DELETE', path, summary: 'Delete an import profile', status: 204 }),
});
