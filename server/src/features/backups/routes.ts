import { backups } from '@tenure/contract';
import { bind } from '../../http/context.ts';
import { pageOf, read } from '../../http/replies.ts';
import { listRuns } from './queries.ts';
import { readStatus } from './status.ts';

export const backupRoutes = [
  bind(backups.status, { handle: async (ctx) => read(await readStatus(ctx.db, ctx.deps.config, Date.now())) }),
  bind(backups.runs, { handle: async (ctx) => pageOf(ctx, ctx.query, await listRuns(ctx.db, ctx.query)) }),
];
