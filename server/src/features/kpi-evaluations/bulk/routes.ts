import { evaluationBulk, evaluationSteps, text } from '@tenure/contract';
import type { Reply } from '@tenure/contract';
import { bind } from '../../../http/context.ts';
import { done, pageOf, read } from '../../../http/replies.ts';
import { changeManyEvaluations } from './change.ts';
import { cancelBulk, findBulk, listBulkRows, listBulks, readBulk } from './reads.ts';

type Result = Pick<Reply<typeof evaluationBulk.change>['data'], 'dry_run' | 'counts'> & { isLarge: boolean };

function messageOf({ dry_run, counts: { total, changed: count, refused }, isLarge }: Result) {
  if (isLarge) return text('evaluations.bulk_started', { count: total });
  return text(dry_run ? 'evaluations.bulk_would_change' : 'evaluations.bulk_changed', { count, refused });
}

export const evaluationBulkRoutes = [
  bind(evaluationSteps.bulkClose, {
    handle: async (ctx) => {
      const { rows } = await changeManyEvaluations(ctx, { kind: 'close', ids: ctx.body.evaluation_ids });
      const result = {
        closed: rows.filter(({ reason }) => reason === null).map(({ id }) => id),
        refused: rows.flatMap(({ id, reason }) => (reason === null ? [] : [{ id, reason }])),
      };
      const count = result.closed.length;
      const refused = result.refused.length;
      const message =
        refused > 0
          ? text('evaluations.bulk_completed_some', { count, refused })
          : text('evaluations.bulk_completed', { count });
      return done(result, message);
    },
  }),
  bind(evaluationBulk.change, {
    handle: async (ctx) => {
      const result = await changeManyEvaluations(ctx, ctx.body);
      return done(result, messageOf({ ...result, isLarge: result.bulk?.status === 'processing' }));
    },
  }),
  bind(evaluationBulk.list, {
    handle: async (ctx) => pageOf(ctx, ctx.query, await listBulks(ctx, ctx.query)),
  }),
  bind(evaluationBulk.get, { find: findBulk, handle: async (_ctx, bulk) => read(bulk) }),
  bind(evaluationBulk.rows, {
    find: findBulk,
    handle: async (ctx, { id }) => pageOf(ctx, ctx.query, await listBulkRows(ctx, id, ctx.query)),
  }),
  bind(evaluationBulk.cancel, {
    find: findBulk,
    handle: async (ctx, bulk) => {
      await cancelBulk(ctx, bulk);
      return done(await readBulk(ctx, bulk.id), text('evaluations.bulk_cancelled'));
    },
  }),
];
