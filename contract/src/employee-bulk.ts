import * as z from 'zod';
import { employees } from './employees.ts';
import { endpoint } from './endpoint.ts';
import { activityStatuses } from './employee-rows.ts';
import { item, PersonRef, Ref } from './envelope.ts';
import { boolean, date, id, integer, oneOf, reason } from './fields.ts';
import { messageField } from './message-field.ts';

/** The most people that one request changes. */
export const maxBulkPeople = 500;
export const bulkKinds = ['move', 'manager', 'deactivate', 'reactivate'] as const;
export const bulkOutcomes = ['changed', 'unchanged', 'refused'] as const;

const { page, per_page, sort_by, sort_direction, deleted, ...filterFields } = employees.list.query.shape;

/** The fields that a bulk change affects, which depend on its kind. */
export const BulkState = z.object({
  entity: Ref.optional(),
  department: Ref.optional(),
  reporting_manager: PersonRef.nullable().optional(),
  activity_status: z.enum(activityStatuses).optional(),
  /** The day on which a scheduled change takes effect. */
  effective_from: z.string().max(10).optional(),
});
export type BulkState = z.output<typeof BulkState>;

export const BulkRow = z.object({
  id: z.int(),
  /** Name and number; null for ids that the caller cannot act on, whether they exist or not. */
  label: z.string().max(300).nullable(),
  employee_number: z.string().max(20).nullable(),
  /** The current revision, to be sent with the real run. */
  revision: z.int().nullable(),
  outcome: z.enum(bulkOutcomes),
  before: BulkState.nullable(),
  after: BulkState.nullable(),
  errors: z.record(z.string().max(100), z.array(messageField())),
  warnings: z.array(messageField()),
});
export type BulkRow = z.output<typeof BulkRow>;

export const employeeBulk = {
  change: endpoint({
    method: 'POST',
    path: '/employees/bulk',
    summary: 'Change many people at once, or say what would happen',
    permission: ['employees.update', 'employees.deactivate'],
    scope: 'relationship',
    body: z.object({
      kind: oneOf(bulkKinds),
      /** Writes nothing, and returns what the real run would. */
      dry_run: boolean().optional(),
      ids: z.array(id()).min(1).max(maxBulkPeople).nullish(),
      /** All people in a list, for a dry run only; the real run names the people listed. */
      filter: z.strictObject(filterFields).nullish(),
      except_ids: z.array(id()).max(maxBulkPeople).nullish(),
      revisions: z
        .array(z.object({ id: id(), revision: integer(1) }))
        .max(maxBulkPeople)
        .nullish(),
      /** `move`: the department, and the day if it is not today. */
      department_id: id().nullish(),
      effective_from: date().nullish(),
      /** `manager`: the new one, or null for none; `move`: the new one, if the manager changes too. */
      reporting_manager_id: id().nullish(),
      /** Required by `deactivate` and `reactivate`. */
      reason: reason().nullish(),
      /** `deactivate`: the person who takes over responsibilities. */
      reassign_to: id().nullish(),
    }),
    reply: item(
      z.object({
        kind: z.enum(bulkKinds),
        dry_run: z.boolean(),
        /** The request id of every change in the audit log. */
        batch_id: z.string().max(100),
        counts: z.object({ total: z.int(), changed: z.int(), unchanged: z.int(), refused: z.int() }),
        /** The ids of the planned changes, for cancelling them together. */
        planned_ids: z.array(z.int()),
        rows: z.array(BulkRow),
      }),
    ),
    status: 200,
  }),
};
