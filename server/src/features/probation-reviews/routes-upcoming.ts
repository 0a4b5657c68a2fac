import { probationEndings } from '@tenure/contract';
import { bind } from '../../http/context.ts';
import { pageOf } from '../../http/replies.ts';
import { listUpcoming } from './upcoming.ts';

export const upcomingRoutes = [
  bind(probationEndings.upcoming, {
    handle: async (ctx) => pageOf(ctx, ctx.query, await listUpcoming(ctx, ctx.query)),
  }),
];
