import * as z from 'zod';
import { employeeInput } from './employee-fields.ts';
import { employmentTypes, lifecycles } from './employee-rows.ts';
import { endpoint } from './endpoint.ts';
import { ActorRef, allowedActions, day, item, page, PersonRef, Ref, stamps } from './envelope.ts';
import { changes, date, reason, text } from './fields.ts';
import { filters, listQuery } from './lists.ts';
import { messageField, storedReason } from './message-field.ts';

export const JobHistoryRow = z.object({
  id: z.int(),
  employee_id: z.int(),
  effective_from: day,
  effective_to: day.nullable(),
  status: z.enum(['scheduled', 'current', 'past', 'cancelled', 'failed']),
  /** An assumed row has the job as of when it was written, from the first day on: earlier jobs are unknown. */
  source: z.enum(['entered', 'imported', 'assumed']),
  changed_fields: z.array(z.string().max(40)),
  entity_id: z.int(),
  entity: Ref,
  department_id: z.int(),
  department: Ref,
  reporting_manager_id: z.int().nullable(),
  reporting_manager: PersonRef.nullable(),
  job_title: z.string().max(150).nullable(),
  grade: z.string().max(10).nullable(),
  employment_type: z.enum(employmentTypes),
  employment_lifecycle: z.enum(lifecycles),
  reason: storedReason(500).nullable(),
  failure: messageField().nullable(),
  created_by: ActorRef,
  ...stamps,
  allowed_actions: allowedActions,
});
export type JobHistoryRow = z.output<typeof JobHistoryRow>;

const { entity_id, department_id, reporting_manager_id, job_title, grade, employment_type } = employeeInput;
const job = z.object({ entity_id, department_id, reporting_manager_id, job_title, grade, employment_type });
const body = changes(job, {
  effective_from: date(),
  reason: text(500).nullish(),
});
const listPath = '/employees/:id/job-history';

export const jobHistory = {
  list: endpoint({
    method: 'GET',
    path: listPath,
    summary: 'List the job history of a person',
    permission: 'employees.view',
    scope: 'scoped',
    query: listQuery(['effective_from'], {
      status: filters.oneOf(['scheduled', 'current', 'past', 'cancelled', 'failed']),
    }),
    reply: page(JobHistoryRow),
    status: 200,
  }),
  create: endpoint({
    method: 'POST',
    path: listPath,
    summary: 'Change the job from a day on',
    permission: 'employees.update',
    scope: 'relationship',
    body,
    reply: item(JobHistoryRow),
    status: 201,
  }),
  addPast: endpoint({
    method: 'POST',
    path: '/employees/:id/past-jobs',
    summary: 'Add a job of past days on which no job is known',
    permission: 'employees.update',
    scope: 'relationship',
    body: changes(job, {
      effective_from: date(),
      /** The last day; by default the day before the next known job. */
      effective_to: date().nullish(),
      reason: reason(),
    }),
    reply: item(JobHistoryRow),
    status: 201,
  }),
  correct: endpoint({
    method: 'PUT',
    path: `${listPath}/:rowId`,
    summary: 'Correct a past job, or the first day of the current one',
    permission: 'employees.update',
    scope: 'relationship',
    body: changes(job, { effective_from: date().optional(), reason: reason() }),
    reply: item(JobHistoryRow),
    status: 200,
  }),
  delete: endpoint({
    method: 'DELETE',
    path: `${listPath}/:rowId`,
    summary: 'Cancel a scheduled or failed change',
    permission: 'employees.update',
    scope: 'relationship',
    status: 204,
  }),
};
