import * as z from 'zod';
import { endpoint } from './endpoint.ts';
import { item, Ref } from './envelope.ts';
import { id, integer, oneOf } from './fields.ts';

const node = {
  id: z.int(),
  type: z.enum(['employee', 'department']),
  name: z.string().max(255),
  job_title: z.string().max(150).nullable(),
  department: Ref.nullable(),
  profile_picture_url: z.string().max(255).nullable(),
  parent_id: z.int().nullable(),
  children_count: z.int(),
};
const leaf = z.object({ ...node, children: z.array(z.never()).max(0) });
const inner = z.object({ ...node, children: z.array(leaf) });

/** A node with its children down to the asked depth; `children_count` tells when there are more to load. */
export const OrgNode = z.object({ ...node, children: z.array(inner) });
export type OrgNode = Omit<z.output<typeof leaf>, 'children'> & { children: OrgNode[] };

export const orgChart = {
  get: endpoint({
    method: 'GET',
    path: '/org-chart',
    summary: 'The organisation chart, by manager or by department',
    permission: 'employees.view',
    scope: 'scoped',
    query: z.object({
      by: oneOf(['manager', 'department']).nullish(),
      entity_id: id().nullish(),
      root_id: id().nullish(),
      depth: integer(1, 3).nullish(),
    }),
    reply: item(
      z.object({
        by: z.enum(['manager', 'department']),
        root_id: z.int().nullable(),
        has_more: z.boolean(),
        nodes: z.array(OrgNode),
        people: z.array(leaf).nullable(),
      }),
    ),
    status: 200,
  }),
};
