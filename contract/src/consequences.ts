import * as z from 'zod';
import { endpoint } from './endpoint.ts';
import { item, Ref } from './envelope.ts';
import { messageField } from './message-field.ts';

export const consequenceKinds = [
  'people',
  'active_people',
  'joining_people',
  'departments',
  'departments_managed',
  'departments_led',
  'direct_reports',
  'inactive_reports',
  'open_evaluations',
  'open_probation_reviews',
  'cycles_owned',
  'kpi_cycles',
  'kpi_evaluations',
  'kpi_templates',
  'probation_reviews',
  'attachments',
  'job_history',
  'scheduled_changes',
  'pending_imports',
  'limited_roles',
] as const;

/** What depends on a record: how much, in words, and which steps it prevents. */
export const Consequence = z.object({
  kind: z.enum(consequenceKinds),
  count: z.int(),
  text: messageField(300),
  /** A few of them by name, if the caller sees them. */
  examples: z.array(Ref).max(5),
  blocks: z.array(z.enum(['delete', 'deactivate'])),
});
export type Consequence = z.output<typeof Consequence>;

const Step = z.object({ possible: z.boolean(), message: messageField().nullable() });

export const Consequences = z.object({ delete: Step, deactivate: Step, items: z.array(Consequence) });
export type Consequences = z.output<typeof Consequences>;

const shared = { method: 'GET', scope: 'scoped', reply: item(Consequences), status: 200 } as const;

/** What prevents deleting or deactivating a record, checked before trying. */
export const consequences = {
  ofEntity: endpoint({
    ...shared,
    path: '/entities/:id/consequences',
    summary: 'What deleting or deactivating a company would meet',
    permission: ['entities.update', 'entities.delete'],
  }),
  ofDepartment: endpoint({
    ...shared,
    path: '/departments/:id/consequences',
    summary: 'What deleting or deactivating a department would meet',
    permission: ['departments.update', 'departments.delete'],
  }),
  ofEmployee: endpoint({
    ...shared,
    path: '/employees/:id/consequences',
    summary: 'What deleting or deactivating a person would meet',
    permission: 'employees.deactivate',
  }),
};
