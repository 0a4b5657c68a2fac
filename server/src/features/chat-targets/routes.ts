import { chatTargets, text } from '@tenure/contract';
import { bind } from '../../http/context.ts';
import { tooMany } from '../../http/errors.ts';
import { rateLimit } from '../../http/limits.ts';
import { done, pageOf, read } from '../../http/replies.ts';
import { languageOf } from '../../languages/accept.ts';
import { testMessage } from './message.ts';
import { listTargets, lockTarget, readTarget } from './queries.ts';
import { sendTo } from './send.ts';
import { createTarget, deleteTarget, updateTarget } from './write.ts';

const withoutTransaction = 'the address is looked up first, which may take seconds';

/** The services behind the addresses take one message a second. */
const tests = rateLimit(1, { windowSeconds: 1 });

export const chatTargetRoutes = [
  bind(chatTargets.list, { handle: async (ctx) => pageOf(ctx, ctx.query, await listTargets(ctx.db, ctx.query)) }),
  bind(chatTargets.get, { handle: async (ctx) => read(await readTarget(ctx.db, ctx.params.id)) }),
  bind(chatTargets.create, {
    withoutTransaction,
    handle: async (ctx) => {
      const id = await createTarget(ctx);
      return done(await readTarget(ctx.db, id), text('chat.created'));
    },
  }),
  bind(chatTargets.update, {
    find: (ctx) => readTarget(ctx.db, ctx.params.id),
    withoutTransaction,
    handle: async (ctx, target) => {
      await updateTarget(ctx, target);
      return done(await readTarget(ctx.db, target.id), text('chat.updated'));
    },
  }),
  bind(chatTargets.delete, {
    find: (ctx) => lockTarget(ctx.db, ctx.params.id),
    handle: (ctx, target) => deleteTarget(ctx, target),
  }),
  bind(chatTargets.test, {
    find: (ctx) => readTarget(ctx.db, ctx.params.id),
    withoutTransaction: 'the receiver may take seconds to answer',
    handle: async ({ deps }, { id, kind, language }) => {
      const { remaining, seconds } = tests.spend(id);
      if (remaining < 0) throw tooMany(seconds, tests.limit);
      const form = { kind, language: languageOf(language), app: deps.config.APP_URL };
      const outcome = await sendTo(deps, id, testMessage(form));
      const is_sent = outcome.error === null;
      return done({ is_sent, ...outcome }, text(is_sent ? 'chat.test_sent' : 'chat.test_failed'));
    },
  }),
];
