import { auditLog } from '@tenure/contract';
import { bind } from '../../http/context.ts';
import { exportFile } from '../../http/downloads.ts';
import { pageOf, read } from '../../http/replies.ts';
import { exportedColumns } from './exported.ts';
import { allEntries, archivedBefore, countEntries, entriesAfter, findEntry, listEntries } from './queries.ts';

export const auditLogRoutes = [
  bind(auditLog.list, {
    handle: async (ctx) => pageOf(ctx, ctx.query, await listEntries(ctx, ctx.query)),
  }),
  bind(auditLog.export, {
    handle: async (ctx) => {
      const { count, last_id } = await countEntries(ctx, ctx.query);
      const rows = allEntries(ctx, ctx.query, last_id);
      return exportFile(ctx, { name: 'audit-log', columns: exportedColumns(ctx.request.language), rows, count });
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
