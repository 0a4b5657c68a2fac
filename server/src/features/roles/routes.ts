import { roles } from '@tenure/contract';
import { bind } from '../../http/context.ts';
import { pageOf, read } from '../../http/replies.ts';
import { listPermissions } from './catalogue.ts';
import { listRoles, readRole } from './queries.ts';

export const roleRoutes = [
  bind(roles.list, {
    handle: async (ctx) => pageOf(ctx, ctx.query, await listRoles(ctx.db, ctx.actor, ctx.query)),
  }),
  bind(roles.get, {
    find: (ctx) => readRole(ctx.db, ctx.actor, ctx.params.id),
    handle: async (_ctx, found) => read(found),
  }),
  bind(roles.permissions, {
    handle: async (ctx) => pageOf(ctx, ctx.query, listPermissions(ctx.query)),
  }),
];
