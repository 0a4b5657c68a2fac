import { roleRules, scimRoleRules, text } from '@tenure/contract';
import { bind } from '../../http/context.ts';
import { done, read } from '../../http/replies.ts';
import { owners } from './owners.ts';
import { readRules } from './queries.ts';
import { previewRules, setRules } from './write.ts';

/** The routes of one kind of owner. */
const routesOf = (of: (typeof owners)[keyof typeof owners], endpoints: typeof roleRules) => [
  bind(endpoints.get, {
    find: (ctx) => of.read(ctx, ctx.params.id),
    handle: async ({ db }, owner) => read(await readRules(db, owner)),
  }),
  bind(endpoints.set, {
    find: (ctx) => of.lock(ctx, ctx.params.id),
    handle: async (ctx, owner) => {
      await setRules(ctx, owner);
      return done(await readRules(ctx.db, await of.read(ctx, owner.id)), text('sso.rules_saved'));
    },
  }),
  bind(endpoints.preview, {
    find: (ctx) => of.read(ctx, ctx.params.id),
    handle: async (ctx, owner) => read(await previewRules(ctx, owner, ctx.body.rules)),
  }),
];

export const roleRuleRoutes = [
  ...routesOf(owners.identity_provider, roleRules),
  ...routesOf(owners.scim_connection, scimRoleRules),
];
