import { evaluationSteps, kpiEvidence, text } from '@tenure/contract';
import { bind } from '../../http/context.ts';
import type { RecordCtx } from '../../http/context.ts';
import { forbidden, notFound } from '../../http/errors.ts';
import { done, pageOf, read } from '../../http/replies.ts';
import { fileReply } from '../../http/stored-files.ts';
import { findEvidence, listEvidence, present } from './evidence.ts';
import { addEvidence, recordEvidence, removeEvidence } from './evidence-write.ts';
import { findEvaluation } from './queries.ts';
import { stepOf } from './step.ts';

const find = (ctx: RecordCtx) => findEvaluation(ctx, ctx.params.id, 'kpi-evaluation.view');

async function findPiece(ctx: RecordCtx & { params: { evidenceId: number } }) {
  const row = await find(ctx);
  return { row, piece: await findEvidence(ctx, row, ctx.params.evidenceId) };
}

/** Evidence is part of the draft: users who can save the draft can add evidence. */
const draft = stepOf(evaluationSteps.update);

export const evidenceRoutes = [
  bind(kpiEvidence.list, {
    find,
    handle: async (ctx, row) => pageOf(ctx, ctx.query, await listEvidence(ctx, row, ctx.query)),
  }),
  bind(kpiEvidence.get, {
    find: findPiece,
    handle: async (ctx, { row, piece }) => read(present(ctx.actor, row)(piece)),
  }),
  bind(kpiEvidence.download, {
    find: findPiece,
    handle: async (ctx, { row, piece: { file_key, file_name, mime_type, scan_status, ...piece } }) => {
      if (file_key === null || file_name === null || mime_type === null || scan_status === null) throw notFound();
      const stored = { id: piece.id, file_key, file_name, mime_type, scan_status };
      const reply = await fileReply(ctx.deps, 'evidence', stored);
      if (piece.uploaded_by_id !== ctx.actor.user_id) await recordEvidence(ctx, 'downloaded', row, piece);
      return reply;
    },
  }),
  bind(kpiEvidence.create, {
    ...draft,
    handle: async (ctx, row) => {
      const piece = await findEvidence(ctx, row, await addEvidence(ctx, row, ctx));
      return done(present(ctx.actor, row)(piece), text('evidence.added'));
    },
  }),
  bind(kpiEvidence.delete, {
    find: async (ctx) => {
      const row = await draft.find(ctx);
      return { row, piece: await findEvidence(ctx, row, ctx.params.evidenceId) };
    },
    allow: (ctx, { row, piece }) => {
      if (piece.uploaded_by_id !== ctx.actor.user_id) throw forbidden();
      draft.allow(ctx, row);
    },
    handle: async (ctx, { row, piece }) => removeEvidence(ctx, row, piece),
  }),
];
