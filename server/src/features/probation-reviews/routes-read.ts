import { probationReviews } from '@tenure/contract';
import { bind } from '../../http/context.ts';
import type { ReadCtx } from '../../http/context.ts';
import { pageOf, read } from '../../http/replies.ts';
import { exportReviews } from './export.ts';
import { listActivity } from './history.ts';
import { listReviews } from './list.ts';
import { findReview, showReview } from './queries.ts';
import { findSheet, replyWithSheet } from './sheet.ts';
import { activitySeen, sightOf } from './visibility.ts';

const find = (ctx: ReadCtx & { params: { id: number } }) => findReview(ctx, ctx.params.id, 'probation-review.view');

export const reviewRoutes = [
  bind(probationReviews.list, {
    handle: async (ctx) => pageOf(ctx, ctx.query, await listReviews(ctx, ctx.query)),
  }),
  bind(probationReviews.export, { handle: exportReviews }),
  bind(probationReviews.get, {
    find,
    handle: async (ctx, row) => read(await showReview(ctx, row)),
  }),
  bind(probationReviews.sheet, {
    find: async (ctx) => {
      const row = await find(ctx);
      return { row, sheet: await findSheet(ctx, row) };
    },
    handle: (ctx, { row, sheet }) => replyWithSheet(ctx, row, sheet),
  }),
  bind(probationReviews.activity, {
    find,
    handle: async (ctx, row) =>
      pageOf(ctx, ctx.query, await listActivity(ctx.db, row.id, ctx.query, activitySeen(sightOf(ctx.actor, row)))),
  }),
];
