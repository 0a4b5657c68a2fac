import * as z from 'zod';
import { endpoint } from './endpoint.ts';
import { ActorRef, day, instant, item, page } from './envelope.ts';
import { integer, moment } from './fields.ts';
import { filters, listQuery, readableExportQuery } from './lists.ts';
import { storedReason } from './message-field.ts';
import { tables } from './files.ts';

export const AuditEntry = z.object({
  id: z.int(),
  at: instant,
  actor: ActorRef,
  action: z.string().max(100),
  subject_type: z.string().max(60),
  subject_id: z.int().nullable(),
  subject_label: z.string().max(300).nullable(),
  entity_id: z.int().nullable(),
  changes: z.record(z.string().max(500), z.object({ from: z.unknown(), to: z.unknown() })),
  /**
   * Labels for the ids in `changes`, by field and id, only for fields that contain ids. Omits ids outside the reader's
   * scope.
   */
  labels: z.record(z.string().max(500), z.record(z.string().max(20), z.string().max(255))),
  reason: storedReason().nullable(),
  request_id: z.string().max(100).nullable(),
  ip: z.string().max(64).nullable(),
  /** The token that a program used; its name is only sent to its user and to those who see all tokens. */
  token: z.object({ id: z.int(), name: z.string().max(60).nullable() }).nullable(),
});
export type AuditEntry = z.output<typeof AuditEntry>;

const AuditArchive = z.object({
  /** The first day after the archived months, whose entries are not in the list; null if none is archived. */
  before: day.nullable(),
});

const query = listQuery(['at', 'action', 'subject_type'], {
  /** An account; 0 for the service itself. */
  actor_id: filters.ids(),
  /** The same by the account's person. */
  actor_employee_id: filters.ids(),
  action: filters.text(500),
  subject_type: filters.text(500),
  subject_id: filters.ids(),
  entity_id: filters.ids(),
  /** Entries about the current users of SCIM connections; for readers of the connections. */
  scim_connection_id: filters.ids(),
  request_id: filters.text(500),
  at_from: moment().nullish(),
  at_to: moment().nullish(),
});
/** The entries in one answer of the feed. */
export const maxInFeed = 500;

const access = { permission: 'audit.view', scope: 'scoped' } as const;

export const auditLog = {
  list: endpoint({
    ...access,
    method: 'GET',
    path: '/audit-log',
    summary: 'List what was changed and read',
    query,
    reply: page(AuditEntry),
    status: 200,
  }),
  export: endpoint({
    ...access,
    method: 'GET',
    path: '/audit-log/export',
    summary: 'Export the audit log',
    step_up: true,
    query: readableExportQuery(query),
    file: tables,
    budget: 'export',
    status: 200,
  }),
  feed: endpoint({
    ...access,
    method: 'GET',
    path: '/audit-log/feed',
    summary: 'Read what was added to the audit log since an entry',
    query: z.object({
      /** The `next` of the previous answer; without it, starts with the first entry of the log. */
      after: integer(0, Number.MAX_SAFE_INTEGER).nullish(),
      limit: integer(1, maxInFeed).meta({ default: 100 }).nullish(),
    }),
    reply: item(
      z.object({
        entries: z.array(AuditEntry.extend({ position: z.int() })),
        /** Where to continue. Equals `after` when there is nothing new. */
        next: z.int(),
      }),
    ),
    status: 200,
  }),
  archived: endpoint({
    ...access,
    method: 'GET',
    path: '/audit-log/archived',
    summary: 'Read which days of the log are in an archive',
    reply: item(AuditArchive),
    status: 200,
  }),
  get: endpoint({
    ...access,
    method: 'GET',
    path: '/audit-log/:id',
    summary: 'Read an audit entry',
    reply: item(AuditEntry),
    status: 200,
  }),
};
