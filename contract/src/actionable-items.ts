import * as z from 'zod';
import { endpoint } from './endpoint.ts';
import { allowedActions, day, instant, item, page, PersonRef } from './envelope.ts';
import { filters, listQuery } from './lists.ts';
import { messageField } from './message-field.ts';

/** Kinds of tasks. */
export const actionableKinds = [
  'kpi_self_assessment',
  'kpi_manager_review',
  'kpi_hr_review',
  'kpi_acceptance',
  'kpi_record_answer',
  'kpi_dispute',
  'kpi_close',
  'kpi_extension_decision',
  'kpi_time_over',
  'kpi_missing_reviewer',
  'kpi_move',
  'kpi_newly_eligible',
  'kpi_cycle_to_close',
  'probation_review_assigned',
  'probation_review_action_required',
  'probation_review_approval',
  'probation_acknowledge',
  'probation_record_acknowledgement',
  'probation_review_missing',
  'probation_missing_reviewer',
  'employee_offboarding',
  'absence_missing_deputy',
  'job_change_failed',
  'people_waiting',
  'service_account_without_owner',
  'token_unused',
  'token_ending',
  'recovery_codes_low',
  'emergency_account_unused',
  'webhook_stopped',
  'chat_target_stopped',
] as const;
export type ActionableKind = (typeof actionableKinds)[number];
export const itemPriorities = ['overdue', 'due_soon', 'normal'] as const;

export const ActionableItem = z.object({
  /** `kind:subject_id` */
  id: z.string().max(80),
  kind: z.enum(actionableKinds),
  title: messageField(),
  description: messageField(1_000).nullable(),
  subject: z.object({ type: z.string().max(60), id: z.int() }),
  employee: PersonRef.nullable(),
  /** The absent person for whom the reader acts as deputy. */
  acting_for: PersonRef.nullable(),
  due_date: day.nullable(),
  priority: z.enum(itemPriorities),
  /** When the task began. */
  created_at: instant,
  url: z.string().max(500),
  allowed_actions: allowedActions,
});
export type ActionableItem = z.output<typeof ActionableItem>;

const own = { method: 'GET', permission: 'signed in', scope: 'own', status: 200 } as const;

export const actionableItems = {
  list: endpoint({
    ...own,
    path: '/actionable-items',
    summary: 'List the tasks of the user',
    query: listQuery(['priority', 'due_date', 'created_at', 'kind'], {
      kind: filters.oneOf(actionableKinds),
      priority: filters.oneOf(itemPriorities),
      /** Due before this day. */
      due_before: filters.day(),
    }),
    reply: page(ActionableItem),
  }),
  counts: endpoint({
    ...own,
    path: '/actionable-items/counts',
    summary: 'Count the tasks of the user',
    reply: item(
      z.object({ total: z.int(), overdue: z.int(), by_kind: z.partialRecord(z.enum(actionableKinds), z.int()) }),
    ),
  }),
};
