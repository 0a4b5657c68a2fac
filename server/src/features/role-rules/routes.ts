import { roleRules, text } from '@tenure/contract';
import { bind } from '../../http/context.ts';
import { done, read } from '../../http/replies.ts';
import { findStored, lockProvider } from '../identity-providers/queries.ts';
import { readRules } from './queries.ts';
import { previewRules, setRules } from './write.ts';

export const roleRuleRoutes = [
  bind(roleRules.get, {
    find: (ctx) => findStored(ctx, ctx.params.id),
    handle: async ({ db }, provider) => read(await readRules(db, provider)),
  }),
  bind(roleRules.set, {
    find: (ctx) => lockProvider(ctx, ctx.params.id),
    handle: async (ctx, provider) => {
      await setRules(ctx, provider);
      return done(await readRules(ctx.db, await findStored(ctx, provider.id)), text('sso.rules_saved'));
    },
  }),
  bind(roleRules.preview, {
    find: (ctx) => findStored(ctx, ctx.params.id),
    handle: async (ctx, provider) => read(await previewRules(ctx, provider, ctx.body.rules)),
  }),
];
