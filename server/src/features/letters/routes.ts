import { letters, text } from '@tenure/contract';
import { bind } from '../../http/context.ts';
import { notFound } from '../../http/errors.ts';
import { done, pageOf, read } from '../../http/replies.ts';
import { findReview } from '../probation-reviews/queries.ts';
import { shownStates } from '../../access/review-scope.ts';
import { letterReply } from './letter.ts';
import { changeTemplate, findTemplate, listTemplates, present } from './templates.ts';

export const letterRoutes = [
  bind(letters.letter, {
    find: async (ctx) => {
      const review = await findReview(ctx, ctx.params.id, 'probation-review.view');
      // there is no letter before the decision
      if (!shownStates.some((state) => state === review.status)) throw notFound();
      return review;
    },
    handle: async (ctx, review) => letterReply(ctx, review, ctx.query.kind),
  }),
  bind(letters.list, {
    handle: async (ctx) => {
      const { rows, total } = await listTemplates(ctx.db, ctx.query, ctx.request.language);
      return pageOf(ctx, ctx.query, { rows: rows.map(present(ctx)), total });
    },
  }),
  bind(letters.get, {
    find: (ctx) => findTemplate(ctx.db, ctx.params.kind, 'read'),
    handle: async (ctx, template) => read(present(ctx)(template)),
  }),
  bind(letters.update, {
    find: (ctx) => findTemplate(ctx.db, ctx.params.kind, 'held'),
    handle: async (ctx, template) =>
      done(present(ctx)(await changeTemplate(ctx, template, ctx.body)), text('letters.template_updated')),
  }),
];
