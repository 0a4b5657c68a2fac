import { probationReviews } from '@tenure/contract';
import type { Actor } from '../../access/actor.ts';
import type { Db } from '../../db/connect.ts';
import { bind } from '../../http/context.ts';
import { pageOf, read } from '../../http/replies.ts';
import { listActivity } from './activity.ts';
import { exportReviews } from './export.ts';
import { listReviews } from './list.ts';
import { findReview, showReview } from './queries.ts';
import { sightOf } from './visibility.ts';

type Visiting = { db: Db; actor: Actor; params: { id: number } };
const find = (ctx: Visiting) => findReview(ctx, ctx.params.id, 'probation-review.view');

export const reviewRoutes = [
  bind(probationReviews.list, {
    handle: async (ctx) => pageOf(ctx, ctx.query, await listReviews(ctx, ctx.query)),
  }),
  bind(probationReviews.export, { handle: exportReviews }),
  bind(probationReviews.get, {
    find,
    handle: async (ctx, row) => read(await showReview(ctx, row)),
  }),
  bind(probationReviews.activity, {
    find,
    handle: async (ctx, row) =>
      pageOf(ctx, ctx.query, await listActivity(ctx.db, row.id, sightOf(ctx.actor, row), ctx.query)),
  }),
];
