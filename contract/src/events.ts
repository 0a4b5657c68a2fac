import * as z from 'zod';
import type { AuditAction } from './audit-actions.ts';
import { auditActions } from './audit-actions.ts';
import { endpoint } from './endpoint.ts';
import { instant, item } from './envelope.ts';
import { integer } from './fields.ts';
import { filters } from './lists.ts';
import type { Permission } from './permissions.ts';

/** The source of an event, which is offered to readers who hold the permission for the whole company. */
type EventSource = {
  permission: Permission;
  /** The audit log entries that are such events. */
  actions: readonly AuditAction[];
  /** Only entries that moved the record to this status. */
  status?: string;
};

const allOf = <Type extends keyof typeof auditActions>(type: Type) =>
  auditActions[type].map((verb) => `${type}.${verb}` as AuditAction);

const people = 'employees.view' satisfies Permission;
const evaluations = { permission: 'kpi-evaluation.view', actions: allOf('kpi_evaluation') } as const;

/**
 * What programs are notified of, derived from the audit log. Entries that are not events are reads, drafts, or steps
 * between the two sides of a review: `privateActions` lists them.
 */
export const eventTypes = {
  'employee.created': { permission: people, actions: ['employee.created'] },
  'employee.updated': {
    permission: people,
    actions: [
      'employee.updated',
      'employee.joined',
      'employee.picture_set',
      'employee.picture_removed',
      'employee.probation_extended',
      'employee.probation_corrected',
      'employee.probation_paused',
      'employee.probation_resumed',
      'employee.reverted',
    ],
  },
  'employee.confirmed': { permission: people, actions: ['employee.confirmed'] },
  'employee.deactivated': { permission: people, actions: ['employee.deactivated'] },
  'employee.reactivated': { permission: people, actions: ['employee.reactivated'] },
  'employee.separated': { permission: people, actions: ['employee.separated'] },
  'employee.separation_withdrawn': { permission: people, actions: ['employee.separation_withdrawn'] },
  'employee.left': { permission: people, actions: ['employee.left'] },
  'employee.rehired': { permission: people, actions: ['employee.rehired'] },
  'employee.deleted': { permission: people, actions: ['employee.deleted', 'employee.removed'] },
  'employee.restored': { permission: people, actions: ['employee.restored'] },
  'employee.roles_changed': { permission: 'employees.assign_roles', actions: ['employee.roles_changed'] },
  'job_change.created': { permission: people, actions: ['job_history.created'] },
  'job_change.applied': { permission: people, actions: ['job_history.applied'] },
  'job_change.cancelled': { permission: people, actions: ['job_history.cancelled'] },
  'department.created': { permission: 'departments.view', actions: ['department.created'] },
  'department.updated': { permission: 'departments.view', actions: ['department.updated'] },
  'department.deleted': { permission: 'departments.view', actions: ['department.deleted'] },
  'entity.created': { permission: 'entities.view', actions: ['entity.created'] },
  'entity.updated': { permission: 'entities.view', actions: ['entity.updated'] },
  'entity.deleted': { permission: 'entities.view', actions: ['entity.deleted'] },
  'kpi_cycle.published': { permission: 'kpi-cycle.view', actions: ['kpi_cycle.publish'] },
  'kpi_cycle.closed': { permission: 'kpi-cycle.view', actions: ['kpi_cycle.close'] },
  'kpi_cycle.reopened': { permission: 'kpi-cycle.view', actions: ['kpi_cycle.reopen'] },
  'kpi_evaluation.completed': { ...evaluations, status: 'completed' },
  'kpi_evaluation.cancelled': { ...evaluations, status: 'cancelled' },
  'probation_review.created': { permission: 'probation-review.view', actions: ['probation_review.create'] },
  'probation_review.decided': { permission: 'probation-review.view', actions: ['probation_review.approve'] },
  'probation_review.reverted': { permission: 'probation-review.view', actions: ['probation_review.revert'] },
  'account.sign_in_blocked': { permission: 'employees.reset_password', actions: ['sign_in_block.created'] },
  'account.sign_in_allowed': { permission: 'employees.reset_password', actions: ['sign_in_block.deleted'] },
  'import.committed': { permission: 'employees.import', actions: ['import.committed'] },
  'import.undone': { permission: 'employees.import', actions: ['import.undone'] },
} as const satisfies Record<string, EventSource>;

/** Entries that are not events: reads, drafts, steps between the sides of a review, settings, webhooks themselves. */
export const privateActions: readonly AuditAction[] = [
  ...allOf('account'),
  ...allOf('announcement'),
  ...allOf('attachment'),
  ...allOf('audit_log'),
  ...allOf('brand'),
  ...allOf('break_glass'),
  'employee.absence_recorded',
  'employee.absence_changed',
  'employee.absence_ended',
  'employee.absence_deleted',
  'employee.downloaded',
  'employee.private_viewed',
  'employee.bank_revealed',
  'employee.private_exported',
  'employee.bank_exported',
  'employee.reveal_refused',
  ...allOf('export'),
  ...allOf('former_result'),
  ...allOf('identity'),
  ...allOf('identity_provider'),
  'import.created',
  'import.updated',
  'import.row_corrected',
  'import.rows_corrected',
  'import.correction_undone',
  'import.completed',
  'import.failed',
  'import.discarded',
  'import.expired',
  'job_history.failed',
  'job_history.past_added',
  'job_history.corrected',
  'job_history.imported',
  'job_history.import_undone',
  ...allOf('import_profile'),
  'kpi_cycle.created',
  'kpi_cycle.updated',
  'kpi_cycle.deleted',
  'kpi_cycle.departments',
  'kpi_cycle.publish_stopped',
  'kpi_cycle.people_added',
  'kpi_cycle.people_left_out',
  'kpi_cycle.leaving_out_undone',
  'kpi_cycle.template_replaced',
  'kpi_cycle.remind',
  ...allOf('kpi_evaluation_bulk'),
  ...allOf('kpi_evidence'),
  ...allOf('kpi_template'),
  ...allOf('letter_template'),
  ...allOf('notification_setting'),
  ...allOf('probation_criteria_set'),
  'probation_review.update',
  'probation_review.submit',
  'probation_review.recall',
  'probation_review.signatures',
  'probation_review.send-back',
  'probation_review.share',
  'probation_review.acknowledge',
  'probation_review.record-acknowledgement',
  'probation_review.sheet',
  'probation_review.reviewer',
  'probation_review.cancel',
  'probation_review.delete',
  'probation_review.letter',
  ...allOf('probation_signature'),
  ...allOf('role'),
  ...allOf('saved_view'),
  ...allOf('session'),
  ...allOf('scim_connection'),
  ...allOf('scim_group'),
  ...allOf('scim_user'),
  ...allOf('service_account'),
  ...allOf('sign_in_policy'),
  ...allOf('token'),
  ...allOf('calendar_feed'),
  ...allOf('chat_target'),
  ...allOf('webhook'),
];

export type EventType = keyof typeof eventTypes;
export const eventTypeNames = Object.keys(eventTypes) as [EventType, ...EventType[]];

/** An event as programs receive it. */
export const Event = z.object({
  /** One more than that of the previous event. */
  sequence: z.int(),
  type: z.enum(eventTypeNames),
  /** When it happened. Events are ordered by commit, which may differ. */
  timestamp: instant,
  data: z.object({
    /** The id of the record that the type names: a person, a job change, a department, and so on. */
    id: z.int().nullable(),
    entity_id: z.int().nullable(),
    /** The person concerned. */
    employee_id: z.int().nullable(),
    /** Names of the changed fields; `private` for those that only holders of `employees.view_sensitive` see. */
    changed: z.array(z.string().max(500)),
    /** A person, a program with a token, or the service itself. */
    actor: z.object({ type: z.enum(['user', 'token', 'system']) }),
  }),
});
export type Event = z.output<typeof Event>;

export const maxEvents = 500;

export const events = {
  list: endpoint({
    method: 'GET',
    path: '/events',
    permission: 'events.view',
    scope: 'scoped',
    summary: 'Read what happened since an event',
    query: z.object({
      /** The `next` of the previous answer; without it, the events of the last 30 days from the first one. */
      after: integer(0, Number.MAX_SAFE_INTEGER).nullish(),
      types: filters.oneOf(eventTypeNames),
      limit: integer(1, maxEvents).meta({ default: 100 }).nullish(),
    }),
    reply: item(
      z.object({
        events: z.array(Event),
        /** Where to continue: equals `after` if nothing is new, larger if events not for the reader were skipped. */
        next: z.int(),
      }),
    ),
    status: 200,
  }),
};
