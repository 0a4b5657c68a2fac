import * as z from 'zod';
import { employmentTypes } from './employee-rows.ts';
import { endpoint } from './endpoint.ts';
import { item, page, PersonRef, Ref } from './envelope.ts';
import { boolean, id } from './fields.ts';
import { JobHistoryRow } from './job-history.ts';
import { filters, listQuery } from './lists.ts';
import { messageField } from './message-field.ts';

/** The most planned changes that one request cancels. */
export const maxCancelled = 500;

/** States of a planned change that has not taken effect. */
export const plannedStates = ['scheduled', 'failed'] as const;

/** A job change for a future day, or one that failed on its day: the job it leads to, and the current job. */
export const PlannedChange = z.object({
  ...JobHistoryRow.omit({ effective_to: true, status: true }).shape,
  status: z.enum(plannedStates),
  employee: PersonRef,
  now: z.object({
    entity: Ref,
    department: Ref,
    reporting_manager: PersonRef.nullable(),
    job_title: z.string().max(150).nullable(),
    grade: z.string().max(10).nullable(),
    employment_type: z.enum(employmentTypes),
  }),
});
export type PlannedChange = z.output<typeof PlannedChange>;

const CancelledRow = z.object({
  id: z.int(),
  /** The person's name; null for a change that the caller cannot act on, whether it exists or not. */
  label: z.string().max(300).nullable(),
  outcome: z.enum(['cancelled', 'refused']),
  errors: z.record(z.string().max(100), z.array(messageField())),
});

export const plannedChanges = {
  list: endpoint({
    method: 'GET',
    path: '/job-changes',
    summary: 'List planned job changes',
    permission: 'employees.view',
    scope: 'scoped',
    query: listQuery(['effective_from', 'name'], {
      status: filters.oneOf(plannedStates),
      employee_id: filters.ids(),
      /** The current company or department, or the one that the change leads to. */
      entity_id: filters.ids(),
      department_id: filters.ids(),
      from: filters.day(),
      to: filters.day(),
    }),
    reply: page(PlannedChange),
    status: 200,
  }),
  cancel: endpoint({
    method: 'POST',
    path: '/job-changes/cancel',
    summary: 'Cancel several planned job changes, or say which can be',
    permission: 'employees.update',
    scope: 'relationship',
    body: z.object({
      ids: z.array(id()).min(1).max(maxCancelled),
      /** Writes nothing, and returns what the real run would. */
      dry_run: boolean().optional(),
    }),
    reply: item(
      z.object({
        counts: z.object({ cancelled: z.int(), refused: z.int() }),
        rows: z.array(CancelledRow),
      }),
    ),
    status: 200,
  }),
};
