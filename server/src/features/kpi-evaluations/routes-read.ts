import { kpiEvaluations } from '@tenure/contract';
import type { Actor } from '../../access/actor.ts';
import type { Db } from '../../db/connect.ts';
import { bind } from '../../http/context.ts';
import { pageOf, read } from '../../http/replies.ts';
import { listActivity } from './activity.ts';
import { readFilterOptions } from './filter-options.ts';
import { listEvaluations } from './list.ts';
import { findEvaluation, showEvaluation } from './queries.ts';
import { sightOf } from './visibility.ts';

type Visiting = { db: Db; actor: Actor; params: { id: number } };
const find = (ctx: Visiting) => findEvaluation(ctx, ctx.params.id, 'kpi-evaluation.view');

export const evaluationRoutes = [
  bind(kpiEvaluations.list, {
    handle: async (ctx) => pageOf(ctx, ctx.query, await listEvaluations(ctx, ctx.query)),
  }),
  bind(kpiEvaluations.filterOptions, {
    handle: async (ctx) => read(await readFilterOptions(ctx, ctx.query.cycle_id)),
  }),
  bind(kpiEvaluations.get, {
    find,
    handle: async (ctx, row) => read(await showEvaluation(ctx, row)),
  }),
  bind(kpiEvaluations.activity, {
    find,
    handle: async (ctx, row) =>
      pageOf(ctx, ctx.query, await listActivity(ctx.db, row.id, sightOf(ctx.actor, row), ctx.query)),
  }),
];
