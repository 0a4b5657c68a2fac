import * as z from 'zod';
import { endpoint } from './endpoint.ts';
import { ActorRef, instant, item, page } from './envelope.ts';
import { exportQuery, filters, listQuery } from './lists.ts';

export const AuditEntry = z.object({
  id: z.int(),
  at: instant,
  actor: ActorRef,
  action: z.string().max(100),
  subject_type: z.string().max(60),
  subject_id: z.int().nullable(),
  subject_label: z.string().max(300).nullable(),
  entity_id: z.int().nullable(),
  changes: z.record(z.string(), z.object({ from: z.unknown(), to: z.unknown() })),
  reason: z.string().max(5_000).nullable(),
  request_id: z.string().max(100).nullable(),
  ip: z.string().max(64).nullable(),
});
export type AuditEntry = z.output<typeof AuditEntry>;

const query = listQuery(['at', 'action', 'subject_type'], {
  actor_id: filters.ids(),
  action: filters.text(100),
  subject_type: filters.text(60),
  subject_id: filters.ids(),
  entity_id: filters.ids(),
  request_id: filters.text(100),
  at_from: filters.text(24),
  at_to: filters.text(24),
});
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
    query: exportQuery(query),
    file: true,
    budget: 'export',
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
