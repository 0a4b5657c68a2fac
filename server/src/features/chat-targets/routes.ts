import { chatTargets, text } from '@tenure/contract';
import { bind } from '../../http/context.ts';
import { forbidden, tooMany } from '../../http/errors.ts';
import { done, pageOf, read } from '../../http/replies.ts';
import { languageOf } from '../../languages/accept.ts';
import { testMessage } from './message.ts';
import { listTargets, lockTarget, readTarget } from './queries.ts';
import { unseenCount } from './rights.ts';
import { readAddress, secondsBetweenTests, sendTo, takeTest } from './send.ts';
import { createTarget, deleteTarget, resumeTarget, updateTarget } from './write.ts';

const withoutTransaction = 'the address is looked up first, which may take seconds';

export const chatTargetRoutes = [
  bind(chatTargets.list, { handle: async (ctx) => pageOf(ctx, ctx.query, await listTargets(ctx, ctx.query)) }),
  bind(chatTargets.get, { handle: async (ctx) => read(await readTarget(ctx, ctx.params.id)) }),
  bind(chatTargets.create, {
    withoutTransaction,
    handle: async (ctx) => {
      const id = await createTarget(ctx);
      return done(await readTarget(ctx, id), text('chat.created'));
    },
  }),
  bind(chatTargets.update, {
    find: (ctx) => readTarget(ctx, ctx.params.id),
    withoutTransaction,
    handle: async (ctx, target) => {
      await updateTarget(ctx, target);
      return done(await readTarget(ctx, target.id), text('chat.updated'));
    },
  }),
  bind(chatTargets.delete, {
    find: (ctx) => lockTarget(ctx, ctx.params.id),
    handle: (ctx, target) => deleteTarget(ctx, target),
  }),
  bind(chatTargets.resume, {
    find: (ctx) => lockTarget(ctx, ctx.params.id),
    allow: async ({ actor }, target) => {
      if (unseenCount(actor, target) >= 0) throw forbidden();
    },
    handle: async (ctx, target) => {
      await resumeTarget(ctx, target);
      return done(await readTarget(ctx, target.id), text('chat.resumed'));
    },
  }),
  bind(chatTargets.test, {
    find: (ctx) => readTarget(ctx, ctx.params.id),
    withoutTransaction: 'the receiver may take seconds to answer',
    handle: async ({ deps }, { id, kind, language }) => {
      if (!(await takeTest(deps.db, id))) throw tooMany(secondsBetweenTests, 1);
      const form = { kind, language: languageOf(language), app: deps.config.APP_URL };
      const outcome = await sendTo(deps, { id, sealed: await readAddress(deps.db, id) }, testMessage(form));
      const is_sent = outcome.error === null;
      return done({ is_sent, ...outcome }, text(is_sent ? 'chat.test_sent' : 'chat.test_failed'));
    },
  }),
];
