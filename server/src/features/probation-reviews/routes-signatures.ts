import { probationSignatures, text } from '@tenure/contract';
import { bind } from '../../http/context.ts';
import type { RecordCtx } from '../../http/context.ts';
import { done, pageOf, read } from '../../http/replies.ts';
import { findReview } from './queries.ts';
import { findSignature, imageReply, listSignatures, readSignature } from './signature-list.ts';
import { signWith } from './signatures.ts';
import { stepOf } from './step.ts';
import { requireStep } from './transitions.ts';
import { verifyReview } from './verify.ts';

const find = (ctx: RecordCtx) => findReview(ctx, ctx.params.id, 'probation-review.view');

export const signatureRoutes = [
  bind(probationSignatures.list, {
    find,
    handle: async (ctx, row) => pageOf(ctx, ctx.query, await listSignatures(ctx, row, ctx.query)),
  }),
  bind(probationSignatures.image, {
    find: async (ctx) => findSignature(ctx, await find(ctx), ctx.params.signatureId),
    handle: async (ctx, signature) => imageReply(ctx.deps, signature),
  }),
  bind(probationSignatures.sign, {
    ...stepOf(probationSignatures.sign),
    handle: async (ctx, row) => {
      const { capacity } = requireStep(ctx.actor, row, 'signatures', ctx.body);
      const role = capacity === 'subject' ? 'employee' : 'manager';
      const id = await signWith(ctx, row.id, role, { input: ctx.body, file: ctx.file, at: '' });
      return done(await readSignature(ctx.db, id), text('signatures.signed'));
    },
  }),
  bind(probationSignatures.verify, {
    find,
    handle: async (ctx, row) => read(await verifyReview(ctx, row)),
  }),
];
