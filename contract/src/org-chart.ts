import * as z from 'zod';
import { endpoint } from './endpoint.ts';
import { item, Ref } from './envelope.ts';
import { id, integer, oneOf } from './fields.ts';
import { filters } from './lists.ts';

/** The most nodes in one answer. */
export const maxOrgNodes = 500;
/** The most people shown in an expanded department. */
export const maxOrgPeople = 100;

const node = {
  id: z.int(),
  type: z.enum(['employee', 'department']),
  name: z.string().max(255),
  job_title: z.string().max(150).nullable(),
  /** The department of a person. */
  department: Ref.nullable(),
  /** The company of a department. */
  entity: Ref.nullable(),
  profile_picture_url: z.string().max(255).nullable(),
  /** The parent node; null at the top of what the caller may see. */
  parent_id: z.int().nullable(),
  children_count: z.int(),
  /** Active people directly in a department; null for people. */
  people_count: z.int().nullable(),
};
const leaf = z.object({ ...node, children: z.array(z.never()).max(0) });
const inner = z.object({ ...node, children: z.array(leaf) });

export type OrgNode = Omit<z.output<typeof leaf>, 'children'> & { children: OrgNode[] };
/** A node with its children down to the requested depth: all of them, or none if they are still to be loaded. */
export const OrgNode: z.ZodType<OrgNode> = z.object({ ...node, children: z.array(inner) });
const OrgPerson: z.ZodType<OrgNode> = leaf;

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
      person_id: id().nullish(),
      /** The lines as of a day, for the people in the list as of that day; departments as of today. */
      as_of: filters.day(),
    }),
    reply: item(
      z.object({
        by: z.enum(['manager', 'department']),
        root_id: z.int().nullable(),
        has_more: z.boolean(),
        nodes: z.array(OrgNode),
        people: z.array(OrgPerson).nullable(),
        /** The nodes to expand, from the top, until `person_id` is visible; null if that person is not in the chart. */
        path: z.array(z.int()).nullable(),
      }),
    ),
    status: 200,
  }),
};
