import { auditLog } from '@tenure/contract';
import { bind } from '../../http/context.ts';
import { exportFile } from '../../http/downloads.ts';
import type { ExportColumn } from '../../http/downloads.ts';
import { pageOf, read } from '../../http/replies.ts';
import type { Entry } from './labels.ts';
import { allEntries, archivedBefore, countEntries, entriesAfter, findEntry, listEntries } from './queries.ts';

/** The old value before the new one; jsonb does not keep this order. */
const fromTo = (changes: Entry['changes']) =>
  JSON.stringify(Object.fromEntries(Object.entries(changes).map(([field, { from, to }]) => [field, { from, to }])));

const exported: ExportColumn<Entry>[] = [
  { header: 'at', value: ({ at }) => at },
  { header: 'actor', value: ({ actor }) => actor.name },
  { header: 'action', value: ({ action }) => action },
  { header: 'subject_type', value: ({ subject_type }) => subject_type },
  { header: 'subject_id', value: ({ subject_id }) => subject_id },
  { header: 'subject_label', value: ({ subject_label }) => subject_label },
  { header: 'changes', value: ({ changes }) => fromTo(changes) },
  { header: 'reason', value: ({ reason }) => reason },
  { header: 'request_id', value: ({ request_id }) => request_id },
  { header: 'ip', value: ({ ip }) => ip },
];

export const auditLogRoutes = [
  bind(auditLog.list, {
    handle: async (ctx) => pageOf(ctx, ctx.query, await listEntries(ctx, ctx.query)),
  }),
  bind(auditLog.export, {
    handle: async (ctx) => {
      const { count, last_id } = await countEntries(ctx, ctx.query);
      const rows = allEntries(ctx, ctx.query, last_id);
      return exportFile(ctx, { name: 'audit-log', columns: exported, rows, count });
    },
  }),
  bind(auditLog.feed, {
    handle: async (ctx) =>
      read(await entriesAfter(ctx, { after: ctx.query.after ?? 0, limit: ctx.query.limit ?? 100 })),
  }),
  bind(auditLog.archived, {
    handle: async ({ db }) => read({ before: await archivedBefore(db) }),
  }),
  bind(auditLog.get, {
    find: (ctx) => findEntry(ctx, ctx.params.id),
    handle: async (_ctx, found) => read(found),
  }),
];
