import * as z from 'zod';
import { Employee } from './employee-fields.ts';
import { endpoint } from './endpoint.ts';
import { item, page, Ref } from './envelope.ts';
import { id, oneOf, revision } from './fields.ts';
import { filters, listQuery } from './lists.ts';

/** Kinds of responsibilities, in the order of lists. */
export const responsibilityKinds = [
  'department_managed',
  'department_led',
  'direct_report',
  'evaluation',
  'probation_review',
  'kpi_cycle',
] as const;
export type ResponsibilityKind = (typeof responsibilityKinds)[number];

/** The most responsibilities that one request reassigns by name; if none is named, all are reassigned. */
export const maxReassigned = 500;

export const Responsibility = z.object({
  kind: z.enum(responsibilityKinds),
  /** The department, person, evaluation, review or cycle. */
  id: z.int(),
  /** The department, cycle or person that it concerns; null if the caller does not see that record. */
  name: z.string().max(255).nullable(),
  /** The cycle of an evaluation. */
  detail: z.string().max(255).nullable(),
  /** The state of an evaluation, review or cycle. */
  status: z.string().max(50).nullable(),
  entity: Ref.nullable(),
});
export type Responsibility = z.output<typeof Responsibility>;

export const responsibilities = {
  list: endpoint({
    method: 'GET',
    path: '/employees/:id/responsibilities',
    summary: 'List what a person is responsible for and the caller may reassign',
    permission: 'employees.deactivate',
    scope: 'scoped',
    query: listQuery(['kind', 'name'], { kind: filters.oneOf(responsibilityKinds) }),
    reply: page(Responsibility),
    status: 200,
  }),
  reassign: endpoint({
    method: 'POST',
    path: '/employees/:id/reassign',
    summary: 'Give responsibilities of a person to another person: all of them, or some',
    permission: 'employees.deactivate',
    scope: 'relationship',
    body: z.object({
      reassign_to: id(),
      items: z
        .array(z.object({ kind: oneOf(responsibilityKinds), id: id() }))
        .min(1)
        .max(maxReassigned)
        .nullish(),
      ...revision,
    }),
    reply: item(Employee),
    status: 200,
  }),
};
