import { kpiEvaluations } from '@tenure/contract';
import { bind } from '../../http/context.ts';
import type { ReadCtx } from '../../http/context.ts';
import { pageOf, read } from '../../http/replies.ts';
import { exportEvaluations } from './export.ts';
import { readFilterOptions } from './filter-options.ts';
import { listActivity } from './history.ts';
import { listEvaluations } from './list.ts';
import { evaluationPdf } from './pdf.ts';
import { findEvaluation, showEvaluation } from './queries.ts';
import { activitySeen, sightOf } from './visibility.ts';

const find = (ctx: ReadCtx & { params: { id: number } }) => findEvaluation(ctx, ctx.params.id, 'kpi-evaluation.view');

export const evaluationRoutes = [
  bind(kpiEvaluations.list, {
    handle: async (ctx) => pageOf(ctx, ctx.query, await listEvaluations(ctx, ctx.query)),
  }),
  bind(kpiEvaluations.filterOptions, {
    handle: async (ctx) => read(await readFilterOptions(ctx, ctx.query)),
  }),
  bind(kpiEvaluations.export, { handle: exportEvaluations }),
  bind(kpiEvaluations.get, {
    find,
    handle: async (ctx, row) => read(await showEvaluation(ctx, row)),
  }),
  bind(kpiEvaluations.pdf, {
    find,
    handle: async (ctx, row) => evaluationPdf(ctx, row),
  }),
  bind(kpiEvaluations.activity, {
    find,
    handle: async (ctx, row) =>
      pageOf(ctx, ctx.query, await listActivity(ctx.db, row.id, ctx.query, activitySeen(sightOf(ctx.actor, row)))),
  }),
];
